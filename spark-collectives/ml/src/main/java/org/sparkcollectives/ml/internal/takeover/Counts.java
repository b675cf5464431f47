package org.sparkcollectives.ml.internal.takeover;

import java.util.concurrent.atomic.LongAdder;

/** How often the application's MLlib was taken over, and how often it was not. */
public final class Counts {
  private final LongAdder trainings = new LongAdder();
  private final LongAdder sums = new LongAdder();
  private final LongAdder objects = new LongAdder();
  private final LongAdder left = new LongAdder();

  Counts() {}

  void training() {
    trainings.increment();
  }

  void sum() {
    sums.increment();
  }

  void object() {
    objects.increment();
  }

  void left() {
    left.increment();
  }

  /**
   * Trainings in one stage.
   *
   * @return how many
   */
  public long trainings() {
    return trainings.sum();
  }

  /**
   * Aggregations whose arrays were summed.
   *
   * @return how many
   */
  public long sums() {
    return sums.sum();
  }

  /**
   * Aggregations of whole objects.
   *
   * @return how many
   */
  public long objects() {
    return objects.sum();
  }

  /**
   * Trainings and aggregations that Spark did itself, but for those of threads that said so.
   *
   * @return how many
   */
  public long leftToSpark() {
    return left.sum();
  }

  @Override
  public String toString() {
    return "MLlib taken over in "
        + trainings()
        + " trainings, "
        + sums()
        + " sums of arrays and "
        + objects()
        + " aggregations of objects; "
        + leftToSpark()
        + " left to Spark";
  }
}
