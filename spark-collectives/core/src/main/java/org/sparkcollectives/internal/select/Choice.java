package org.sparkcollectives.internal.select;

import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.schedule.Problem;

/**
 * An algorithm chosen for an operation.
 *
 * @param algorithm the algorithm
 * @param problem what it is asked for, with the number of blocks
 * @param nanos the time predicted, in nanoseconds
 */
public record Choice(Algorithm algorithm, Problem problem, double nanos) {}
