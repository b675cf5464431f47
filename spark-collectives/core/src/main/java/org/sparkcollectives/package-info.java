/**
 * Collective operations between Java processes or threads: communicators, and groups of ranks
 * without Spark.
 *
 * <p>The map of the house, from the inside out: {@code schedule} is the vocabulary, {@code shape}
 * the trees and rings, {@code algorithm} one class per algorithm, {@code verify} proves schedules
 * right, {@code cost} prices them, {@code draw} draws them, {@code select} chooses. {@code vector}
 * holds types and operators, {@code transport} links between ranks, {@code engine} runs a schedule.
 * This package puts them together; {@code spark} brings it into Spark jobs, {@code rdd} into Scala.
 */
@NullMarked
package org.sparkcollectives;

import org.jspecify.annotations.NullMarked;
