/** Allgather algorithms: every rank gets the parts of all ranks. */
@NullMarked
package org.sparkcollectives.internal.algorithm.allgather;

import org.jspecify.annotations.NullMarked;
