/** Faults in an application of Spark: what breaks in its cluster, and what comes of its calls. */
@NullMarked
package org.sparkcollectives.benchmarks.chaos.spark;

import org.jspecify.annotations.NullMarked;
