/** Kernels under JMH. */
@NullMarked
package org.sparkcollectives.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
