/**
 * Collective algorithms: pure functions from a problem and a rank to that rank's schedule. One
 * package per collective, one final class per algorithm; {@link
 * org.sparkcollectives.algorithm.Algorithms} is the hand-written registry of all.
 */
@NullMarked
package org.sparkcollectives.algorithm;

import org.jspecify.annotations.NullMarked;
