package org.sparkcollectives.ml.internal.takeover;

import java.util.concurrent.atomic.LongAdder;

/** How often the application's MLlib was taken over, and how often it was not. */
final class Counts {
  private final LongAdder trainings = new LongAdder();
  private final LongAdder sums = new LongAdder();
  private final LongAdder broadcasts = new LongAdder();
  private final LongAdder objects = new LongAdder();
  private final LongAdder left = new LongAdder();

  Counts() {}

  void training() {
    trainings.increment();
  }

  void sum() {
    sums.increment();
  }

  void broadcast() {
    broadcasts.increment();
  }

  void object() {
    objects.increment();
  }

  void left() {
    left.increment();
  }

  /** How many trainings there were in one stage. */
  long trainings() {
    return trainings.sum();
  }

  /** In how many aggregations arrays were summed. */
  long sums() {
    return sums.sum();
  }

  /** How many broadcasts went between executors. */
  long broadcasts() {
    return broadcasts.sum();
  }

  /** How many aggregations were of whole objects. */
  long objects() {
    return objects.sum();
  }

  /**
   * How many calls of all kinds Spark did itself, small aggregations and those in a loop that is
   * its own among them, but for broadcasts that are not worth a job and for the calls of threads
   * that said so.
   */
  long leftToSpark() {
    return left.sum();
  }

  @Override
  public String toString() {
    return "MLlib taken over in "
        + trainings()
        + " trainings, "
        + sums()
        + " sums of arrays, "
        + broadcasts()
        + " broadcasts and "
        + objects()
        + " aggregations of objects; "
        + leftToSpark()
        + " left to Spark";
  }
}
