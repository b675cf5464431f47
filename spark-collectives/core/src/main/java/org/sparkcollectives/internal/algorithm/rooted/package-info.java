/** Scatter and gather algorithms: the root hands out the parts of its vector, or collects them. */
@NullMarked
package org.sparkcollectives.internal.algorithm.rooted;

import org.jspecify.annotations.NullMarked;
