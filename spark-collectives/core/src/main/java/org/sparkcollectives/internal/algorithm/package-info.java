/**
 * Collective algorithms: pure functions from a problem and a rank to that rank's schedule. One
 * package per collective, one final class per algorithm; {@link
 * org.sparkcollectives.internal.algorithm.Algorithms} is the hand-written registry of all.
 */
@NullMarked
package org.sparkcollectives.internal.algorithm;

import org.jspecify.annotations.NullMarked;
