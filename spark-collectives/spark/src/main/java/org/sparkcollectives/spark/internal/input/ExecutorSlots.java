package org.sparkcollectives.spark.internal.input;

/**
 * An executor and how many tasks it can run at once.
 *
 * @param executor its number, as Spark names it; empty for slots of executors that are not known
 * @param host its host, as Spark names it
 * @param slots how many tasks, at least 1
 */
public record ExecutorSlots(String executor, String host, int slots) {

  /**
   * Spark's name of this executor as a place for a task.
   *
   * @return the name, empty where the executor is not known
   */
  public String place() {
    return executor.isEmpty() ? "" : place(host, executor);
  }

  /**
   * Spark's name of an executor as a place for a task.
   *
   * @param host its host, as Spark names it
   * @param executor its number
   * @return the name
   */
  public static String place(String host, String executor) {
    return "executor_" + host + "_" + executor;
  }
}
