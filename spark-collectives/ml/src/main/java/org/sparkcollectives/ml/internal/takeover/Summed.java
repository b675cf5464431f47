package org.sparkcollectives.ml.internal.takeover;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** Aggregates whose combination is the sum of all their numbers, as arrays of these. */
interface Summed extends Serializable {
  /**
   * The numbers of an aggregate.
   *
   * @param aggregate what the elements of a partition have become
   * @return its numbers, in an array that nobody needs any more; null if no element was added
   */
  double @Nullable [] numbers(@Nullable Object aggregate);

  /**
   * The aggregate of numbers.
   *
   * @param numbers the sum of arrays that {@link #numbers} has made, which the aggregate may keep
   * @param zero what the aggregation began with
   * @return the aggregate
   */
  Object aggregate(double[] numbers, @Nullable Object zero);
}
