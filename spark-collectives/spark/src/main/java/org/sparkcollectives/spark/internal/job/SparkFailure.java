package org.sparkcollectives.spark.internal.job;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.rendezvous.Failure;

/**
 * What Spark says of a job that has failed.
 *
 * @param exception the exception that it threw
 */
public record SparkFailure(Exception exception) {
  private static final String ABORTED = "Job aborted due to stage failure: ";

  /** Up to what ended a task, where Spark first says that: later words may be a user's. */
  private static final String ENDED =
      ABORTED + "(?>(?s:.*?)(?:finished unsuccessfully\\.\\s+|\\(TID \\d+\\) \\([^)]*\\): ))";

  /** How Spark begins the reason of a task that an executor does not take, as it ends. */
  private static final String REJECTED =
      "java\\.util\\.concurrent\\.RejectedExecutionException: Task"
          + " org\\.apache\\.spark\\.executor\\.Executor\\$TaskRunner";

  private static final Pattern EXECUTOR_ENDS = Pattern.compile(ENDED + REJECTED);

  /** How Spark begins the reason of a task whose executor has gone, or ends. */
  private static final Pattern EXECUTOR_LOST =
      Pattern.compile(ENDED + "(ExecutorLostFailure \\(executor .*|" + REJECTED + ".*)");

  /** What Spark says of a barrier stage that lacks the output of a shuffle. */
  private static final Pattern INPUT_LOST =
      Pattern.compile(
          ABORTED
              + "Could not recover from a failed barrier ResultStage\\. Most recent failure reason:"
              + "\\s*\\S*FetchFailed");

  /** What Spark says of a job that a user has cancelled. */
  private static final Pattern CANCELLED =
      Pattern.compile("(?:\\[SPARK_JOB_CANCELLED\\] )?Job \\d+ cancelled");

  /** What Spark says of a barrier stage of which somebody has killed a task. */
  private static final Pattern TASK_KILLED = Pattern.compile(ENDED + "(TaskKilled \\(.*)");

  /**
   * What Spark says of a task that has failed as often as it may for what its own code has done, or
   * cannot be sent.
   */
  private static final Pattern TASK_FAILED =
      Pattern.compile(
          ABORTED
              + "(?:Task not serializable: |Failed to serialize task |Task serialization failed: "
              + "|Task creation failed: |task [\\d.]+ in stage [\\d.]+ \\(TID \\d+\\) had a not"
              + " serializable result: |Task \\d+ in stage [\\d.]+"
              + " failed \\d+ times, most recent failure: Lost task [\\d.]+ in stage [\\d.]+ \\(TID"
              + " \\d+\\) \\([^)]*\\): (?!ExecutorLostFailure \\(|FetchFailed\\(|TaskResultLost"
              + " \\(|TaskKilled \\(|"
              + REJECTED
              + "))");

  /** What ended a task that cannot be read where it was to run, for a class of the library. */
  private static final Pattern CLASS_MISSING =
      Pattern.compile(
          ENDED
              + "java\\.(?:lang\\.ClassNotFoundException|lang\\.NoClassDefFoundError"
              + "|io\\.InvalidClassException): org[./]sparkcollectives[./]");

  private static final int LONGEST = 300;

  private String text() {
    String text = exception.getMessage();
    return text == null ? exception.toString() : text;
  }

  /**
   * Whether a user has cancelled the job.
   *
   * @return true if Spark says so
   */
  public boolean jobCancelled() {
    return CANCELLED.matcher(text()).lookingAt();
  }

  /** Whether a task could not fetch the output of a shuffle, whatever user code made of that. */
  boolean inputLost() {
    return INPUT_LOST.matcher(text()).lookingAt();
  }

  /** Whether a task failed because its executor has gone, so that it cannot say anything. */
  boolean executorLost() {
    return EXECUTOR_LOST.matcher(text()).lookingAt();
  }

  /** Whether a task failed because its executor ends, of which Spark tells later. */
  boolean executorEnds() {
    return EXECUTOR_ENDS.matcher(text()).lookingAt();
  }

  /**
   * Whether a task of an ordinary stage, which Spark itself begins again where an executor is lost,
   * failed each time by itself, so that it would again.
   */
  boolean taskFailed() {
    return TASK_FAILED.matcher(text()).lookingAt();
  }

  /** Whether somebody has killed a task, which Spark would begin again if its stage let it. */
  boolean taskKilled() {
    return TASK_KILLED.matcher(text()).lookingAt();
  }

  /**
   * Whether an executor lacks a class of the library that the driver has, or has another one of the
   * same name.
   *
   * @return true if a task failed for that
   */
  public boolean classMissing() {
    return CLASS_MISSING.matcher(text()).lookingAt();
  }

  /**
   * What ended the attempt, in a short sentence without full stop.
   *
   * @param failure what a rank or the driver found, or null
   * @return the first sentence of it, or of what Spark says
   */
  String endedBy(@Nullable Failure failure) {
    Matcher lost = EXECUTOR_LOST.matcher(text());
    Matcher killed = TASK_KILLED.matcher(text());
    String all =
        failure != null
            ? failure.text()
            : lost.lookingAt() ? lost.group(1) : killed.lookingAt() ? killed.group(1) : text();
    String line = all.lines().findFirst().orElse("").replaceFirst("\\. .*", "");
    String sentence = line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
    return sentence.length() > LONGEST ? sentence.substring(0, LONGEST) + "..." : sentence;
  }
}
