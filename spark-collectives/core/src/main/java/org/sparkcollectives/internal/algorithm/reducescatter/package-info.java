/** Reduce-scatter algorithms: every rank gets its own part of the combination of all vectors. */
@NullMarked
package org.sparkcollectives.internal.algorithm.reducescatter;

import org.jspecify.annotations.NullMarked;
