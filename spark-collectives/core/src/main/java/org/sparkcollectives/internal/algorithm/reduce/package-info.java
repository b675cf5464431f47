/**
 * Reduce algorithms: the combination of all vectors reaches the root; the other ranks' vectors are
 * used up.
 */
@NullMarked
package org.sparkcollectives.internal.algorithm.reduce;

import org.jspecify.annotations.NullMarked;
