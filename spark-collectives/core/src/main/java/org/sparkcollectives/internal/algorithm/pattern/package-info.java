/**
 * Patterns of rounds that several algorithms are made of: pipelines over trees, halving and
 * doubling, cyclic and folded parts.
 */
@NullMarked
package org.sparkcollectives.internal.algorithm.pattern;

import org.jspecify.annotations.NullMarked;
