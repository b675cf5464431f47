package org.sparkcollectives.spark.internal.result;

import org.apache.spark.SparkContext;

/**
 * What the ranks of an attempt store: a value or any number of parts, under a number which no other
 * attempt has.
 *
 * @param context the application
 * @param id the number
 */
public record StoredValues(SparkContext context, long id) {

  /**
   * Takes a new number.
   *
   * @param context the application
   * @return what is still to be stored
   */
  public static StoredValues reserve(SparkContext context) {
    return new StoredValues(context, ExecutorBroadcast.reserve());
  }

  /** Removes what has been stored, by one message to each executor. */
  public void discard() {
    BlockStore.remove(id, true, false);
  }

  /**
   * What has been stored; to be called once, as what it returns removes that in the end.
   *
   * @param <T> the value's class
   * @return its broadcast
   */
  public <T> ExecutorBroadcast<T> broadcast() {
    return ExecutorBroadcast.of(context, id);
  }
}
