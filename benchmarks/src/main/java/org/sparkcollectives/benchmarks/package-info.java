/** Measurements of the collectives, alone and against what Spark brings. */
@NullMarked
package org.sparkcollectives.benchmarks;

import org.jspecify.annotations.NullMarked;
