/** The choice of the algorithm and the number of blocks for an operation, by rules and by cost. */
@NullMarked
package org.sparkcollectives.internal.select;

import org.jspecify.annotations.NullMarked;
