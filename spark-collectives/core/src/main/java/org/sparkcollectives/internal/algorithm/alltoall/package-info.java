/** All-to-all algorithms: every rank sends every other one a block of its own. */
@NullMarked
package org.sparkcollectives.internal.algorithm.alltoall;

import org.jspecify.annotations.NullMarked;
