package org.sparkcollectives.spark.internal.job;

import java.util.concurrent.TimeUnit;
import org.sparkcollectives.spark.internal.events.CallLog;
import org.sparkcollectives.spark.internal.events.RunningCall;

/** Looks once a second how far a call is, and logs news every ten seconds. */
final class ProgressLog implements Runnable {
  private static final long NANOS = TimeUnit.SECONDS.toNanos(10);

  private final RunningCall call;
  private String told = "";
  private long toldAt;

  /**
   * Begins with silence.
   *
   * @param call a call that has been submitted
   * @param now the time, as {@link System#nanoTime}
   */
  ProgressLog(RunningCall call, long now) {
    this.call = call;
    this.toldAt = now;
  }

  @Override
  public void run() {
    if (isDue(call.progress(), System.nanoTime())) {
      CallLog.tell(call);
    }
  }

  /** Whether there is something new to be logged now, which then it counts as being. */
  boolean isDue(String progress, long now) {
    if (progress.equals(told) || now - toldAt < NANOS) {
      return false;
    }
    told = progress;
    toldAt = now;
    return true;
  }
}
