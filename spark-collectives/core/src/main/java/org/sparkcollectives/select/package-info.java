/** Chooses the algorithm and the number of blocks for an operation, by cost. */
@NullMarked
package org.sparkcollectives.select;

import org.jspecify.annotations.NullMarked;
