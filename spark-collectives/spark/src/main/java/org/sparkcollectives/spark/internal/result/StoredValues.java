package org.sparkcollectives.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkContext;

/** The numbers under which the ranks of a job store values; each attempt has its own. */
final class StoredValues {
  private final SparkContext context;
  private final int count;
  private long base;

  StoredValues(SparkContext context, int count) {
    this.context = context;
    this.count = count;
  }

  /** Takes new numbers for an attempt; returns the first. */
  long renew() {
    base = ExecutorBroadcast.reserve(count);
    return base;
  }

  /** Removes what an attempt has stored. */
  void discard() {
    for (int i = 0; i < count; i++) {
      BlockStore.remove(base + i, true, false);
    }
  }

  /** The values that were stored under the first numbers of the last attempt. */
  <T> List<ExecutorBroadcast<T>> broadcasts(int number) {
    List<ExecutorBroadcast<T>> all = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      all.add(broadcast(i));
    }
    return all;
  }

  /** The value that was stored under a number of the last attempt. */
  <T> ExecutorBroadcast<T> broadcast(int index) {
    return ExecutorBroadcast.of(context, base + index);
  }
}
