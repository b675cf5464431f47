/** A Spark standalone cluster of processes on this machine, for tests, examples and benchmarks. */
@NullMarked
package org.sparkcollectives.testing;

import org.jspecify.annotations.NullMarked;
