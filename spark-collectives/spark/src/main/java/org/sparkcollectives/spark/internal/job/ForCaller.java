package org.sparkcollectives.spark.internal.job;

import static java.util.Objects.requireNonNull;

import org.apache.spark.SparkContext;
import org.apache.spark.SparkException;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.spark.internal.input.Calls;

/**
 * What the caller of a collective gets of what was thrown at the driver, also of checked exceptions
 * that Scala does not declare. To ask for it twice changes nothing.
 */
final class ForCaller {
  /** What Spark sets in the thread that runs a streaming query. */
  private static final String STREAMING_QUERY = "sql.streaming.queryId";

  private ForCaller() {}

  /**
   * Why the call fails: the thread, which Spark leaves without its flag then, was interrupted; the
   * application has stopped, and parts of it are not there any more; or what was thrown.
   */
  static Throwable reason(SparkContext context, String operation, Throwable thrown) {
    if (Calls.isInterruption(thrown)) {
      Thread.currentThread().interrupt();
      return AbortedException.interrupted(thrown);
    }
    return thrown instanceof Exception e
            && !(thrown instanceof CollectiveException)
            && context.isStopped()
        ? JobErrors.contextStopped(operation, e)
        : thrown;
  }

  /**
   * The reason as this thread's program knows it: a streaming query, which knows by Spark's own
   * exceptions that somebody has stopped it, gets these.
   */
  static Throwable of(SparkContext context, Throwable reason) {
    return inStreamingQuery(context) ? asSparkThrows(reason) : reason;
  }

  /** Whether this thread runs a streaming query. */
  static boolean inStreamingQuery(SparkContext context) {
    return context.getLocalProperty(STREAMING_QUERY) != null;
  }

  /**
   * What Spark throws where its caller was interrupted or its job cancelled; any other as it is.
   */
  private static Throwable asSparkThrows(Throwable thrown) {
    Throwable cause = thrown.getCause();
    if (thrown instanceof AbortedException && Calls.isInterruption(cause)) {
      boolean unusedAsWhereItWasThrown = Thread.interrupted();
      return requireNonNull(cause);
    }
    return cause instanceof SparkException spark && new SparkFailure(spark).jobCancelled()
        ? cause
        : thrown;
  }
}
