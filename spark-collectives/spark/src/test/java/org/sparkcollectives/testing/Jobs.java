package org.sparkcollectives.testing;

import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;

/** Counts Spark's jobs. */
public final class Jobs {
  private static final long TOLD_MILLIS = 60_000;

  private Jobs() {}

  /**
   * How many jobs an action of this thread runs.
   *
   * @param context the application
   * @param action the action
   * @return the jobs of this thread, and of those that it starts
   */
  public static int of(SparkContext context, Runnable action) {
    String group = "jobs " + System.nanoTime();
    context.setJobGroup(group, group, false);
    try {
      action.run();
    } finally {
      context.clearJobGroup();
    }
    settle(context); // the tracker is a listener too
    return context.statusTracker().getJobIdsForGroup(group).length;
  }

  /**
   * Waits until all that has happened has been told. A listener that is added before hears of what
   * had happened already.
   *
   * @param context the application
   */
  public static void settle(SparkContext context) {
    try {
      context.listenerBus().waitUntilEmpty(TOLD_MILLIS);
    } catch (TimeoutException e) {
      throw new AssertionError("Spark's listeners have not been told in time", e);
    }
  }
}
