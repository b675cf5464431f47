package org.sparkcollectives.spark.internal.input;

/**
 * An executor and how many tasks it can run at once.
 *
 * @param executor its number, as Spark names it; empty for slots of executors that are not known
 * @param host its host, as Spark names it
 * @param slots how many tasks, at least 1
 */
public record ExecutorSlots(String executor, String host, int slots) {
  private static final String EXECUTOR = "executor_";
  private static final String IN_HDFS_CACHE = "hdfs_cache_";

  /**
   * Spark's name of this executor as a place for a task.
   *
   * @return the name, empty where the executor is not known
   */
  public String place() {
    return executor.isEmpty() ? "" : place(host, executor);
  }

  /**
   * The host of a place for a task, as Spark reads the name: what an HDFS cache is on, and of an
   * executor what is before the next underscore.
   *
   * @param place the place, as an RDD names it
   * @return the host
   */
  static String hostOf(String place) {
    if (place.startsWith(IN_HDFS_CACHE)) {
      return place.substring(IN_HDFS_CACHE.length());
    } else if (place.startsWith(EXECUTOR)) {
      int end = place.indexOf('_', EXECUTOR.length());
      return end < 0 ? place : place.substring(EXECUTOR.length(), end);
    }
    return place;
  }

  /**
   * A place that Spark reads as it is meant: where the host's name has an underscore, at which
   * Spark would end it, the host alone.
   *
   * @param place the name of an executor as a place
   * @return it, or its host
   */
  public static String readable(String place) {
    int end = place.lastIndexOf('_');
    boolean whole = !place.startsWith(EXECUTOR) || place.indexOf('_', EXECUTOR.length()) == end;
    return whole ? place : place.substring(EXECUTOR.length(), end);
  }

  /**
   * Spark's name of an executor as a place for a task.
   *
   * @param host its host, as Spark names it
   * @param executor its number
   * @return the name
   */
  public static String place(String host, String executor) {
    return EXECUTOR + host + "_" + executor;
  }
}
