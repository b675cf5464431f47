package org.sparkcollectives.spark.internal.result;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkContext;

/**
 * The values that the ranks of an attempt store: consecutive numbers, which no other attempt has.
 *
 * @param context the application
 * @param base the first number
 * @param count how many there are
 */
public record StoredValues(SparkContext context, long base, int count) {

  /**
   * Takes new numbers.
   *
   * @param context the application
   * @param count how many
   * @return values that are still to be stored
   */
  public static StoredValues reserve(SparkContext context, int count) {
    return new StoredValues(context, ExecutorBroadcast.reserve(count), count);
  }

  /**
   * The first of them.
   *
   * @param some how many
   * @return so many values
   */
  public StoredValues first(int some) {
    return new StoredValues(context, base, some);
  }

  /** Removes what has been stored. */
  public void discard() {
    for (int i = 0; i < count; i++) {
      BlockStore.remove(base + i, true, false);
    }
  }

  /**
   * All values.
   *
   * @param <T> their class
   * @return a broadcast of each, in order
   */
  public <T> List<ExecutorBroadcast<T>> broadcasts() {
    List<ExecutorBroadcast<T>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(broadcast(i));
    }
    return all;
  }

  /**
   * One value.
   *
   * @param index its place among them
   * @param <T> its class
   * @return its broadcast
   */
  public <T> ExecutorBroadcast<T> broadcast(int index) {
    return ExecutorBroadcast.of(context, base + index);
  }
}
