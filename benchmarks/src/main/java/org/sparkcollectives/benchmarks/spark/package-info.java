/** The collectives against what Spark brings, on a standalone cluster. */
@NullMarked
package org.sparkcollectives.benchmarks.spark;

import org.jspecify.annotations.NullMarked;
