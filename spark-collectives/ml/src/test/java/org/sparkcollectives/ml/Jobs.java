package org.sparkcollectives.ml;

import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;

/** Counts Spark's jobs. */
public final class Jobs {
  private Jobs() {}

  /** How many jobs an action of this thread runs. */
  public static int of(SparkContext context, Runnable action) {
    String group = "jobs " + System.nanoTime();
    context.setJobGroup(group, group, false);
    try {
      action.run();
    } finally {
      context.clearJobGroup();
    }
    try {
      context.listenerBus().waitUntilEmpty(); // by which the tracker hears of jobs
    } catch (TimeoutException e) {
      throw new AssertionError(e);
    }
    return context.statusTracker().getJobIdsForGroup(group).length;
  }
}
