package org.sparkcollectives.spark.internal.events;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.sparkcollectives.internal.text.Counted;

/**
 * The driver's log of calls: a line for each, and of those that tell how far they are some before,
 * with the keys that Spark 4 has for such lines.
 */
public final class CallLog {
  private static final Logger LOG = LoggerFactory.getLogger(CallLog.class);

  private static final String JOB = "job_id";
  private static final String STAGE = "stage_id";

  private CallLog() {}

  /**
   * Logs a call that has ended.
   *
   * @param event what there is to tell
   */
  public static void tell(CallEvent event) {
    if (!LOG.isInfoEnabled()) {
      return;
    }
    CallEvent.Attempt last = event.lastAttempt();
    tell(last == null ? List.of() : last.jobs, last == null ? -1 : last.stage, line(event));
  }

  /**
   * Logs how far a call is.
   *
   * @param call a call that runs
   */
  public static void tell(RunningCall call) {
    if (!LOG.isInfoEnabled()) {
      return;
    }
    tell(call.jobs(), call.stage(), line(call, System.currentTimeMillis()));
  }

  private static void tell(List<Integer> jobs, int stage, String line) {
    String jobBefore = MDC.get(JOB);
    String stageBefore = MDC.get(STAGE);
    try {
      MDC.put(JOB, jobs.isEmpty() ? "" : String.valueOf(jobs.get(0)));
      MDC.put(STAGE, stage < 0 ? "" : String.valueOf(stage));
      LOG.info("{}", line);
    } finally {
      restore(JOB, jobBefore);
      restore(STAGE, stageBefore);
    }
  }

  private static void restore(String key, @Nullable String before) {
    if (before == null) {
      MDC.remove(key);
    } else {
      MDC.put(key, before);
    }
  }

  /** How far a call is, in one line. */
  static String line(RunningCall call, long nowMillis) {
    long seconds = TimeUnit.MILLISECONDS.toSeconds(Math.max(0, nowMillis - call.startedAt));
    return call.callSite + " (call " + call.call + "), " + seconds + " s: " + call.progress();
  }

  /** A call in one line. */
  static String line(CallEvent event) {
    StringBuilder line = new StringBuilder(event.callSite);
    line.append(" (call ").append(event.call).append(')');
    if (event.state.equals(CallEvent.FAILED)) {
      line.append(" failed");
      if (event.attemptCount > 1) {
        line.append(" after ").append(event.attemptCount).append(" attempts");
      }
      line.append(" in ").append(millis(event.millis)).append(": ").append(event.failure);
      return line.toString();
    }
    line.append(": ");
    if (event.bytes > 0) {
      line.append(event.bytes).append(" bytes ");
    }
    if (!event.algorithm.isEmpty()) {
      line.append("by ").append(event.algorithm).append(' ');
    }
    line.append("on ").append(Counted.of(event.ranks, "rank"));
    line.append(" of ").append(Counted.of(event.hosts, "host"));
    line.append(" in ").append(millis(event.millis));
    if (event.measuredMillis > 0) {
      line.append(", of which the operation took ").append(millis(event.measuredMillis));
      if (event.predictedMillis > 0) {
        line.append(" (").append(millis(event.predictedMillis)).append(" predicted)");
      }
    }
    CallEvent.Rank straggler = event.straggler();
    if (straggler != null) {
      line.append("; rank ").append(straggler.rank).append(" on ").append(straggler.host);
      line.append(" (").append(straggler.executor).append(") came last, ");
      line.append(millis(straggler.arrived - event.firstArrived)).append(" after the first");
    }
    if (event.attemptCount > 1) {
      line.append("; attempt ").append(event.attemptCount).append(" was the first to succeed");
    }
    return line.toString();
  }

  private static String millis(double millis) {
    return String.format(Locale.ROOT, millis < 10 ? "%.2f ms" : "%.0f ms", millis);
  }
}
