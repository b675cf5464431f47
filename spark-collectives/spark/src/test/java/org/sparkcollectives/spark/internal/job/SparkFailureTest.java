package org.sparkcollectives.spark.internal.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What Spark's exceptions say, in its own words. */
class SparkFailureTest {

  private static SparkFailure failure(String text) {
    return new SparkFailure(new IllegalStateException(text));
  }

  @Test
  void aLostExecutorIsFoundInTheMiddle() {
    SparkFailure lost =
        failure(
            "Job aborted due to stage failure: Could not recover from a failed barrier ResultStage."
                + " Most recent failure reason: Stage failed because barrier task ResultTask(1, 0)"
                + " finished unsuccessfully.\nExecutorLostFailure (executor 3 exited caused by one"
                + " of the running tasks) Reason: Command exited with code 137\nDriver stacktrace:");
    assertTrue(lost.executorLost());
    assertFalse(lost.jobCancelled());
    assertEquals(
        "ExecutorLostFailure (executor 3 exited caused by one of the running tasks)"
            + " Reason: Command exited with code 137",
        lost.endedBy(null));
  }

  @Test
  void aKilledTaskIsFoundInTheMiddle() {
    SparkFailure killed =
        failure(
            "Job aborted due to stage failure: Could not recover from a failed barrier ResultStage."
                + " Most recent failure reason: Stage failed because barrier task ResultTask(1, 0)"
                + " finished unsuccessfully.\nTaskKilled (for a reason)\nDriver stacktrace:");
    assertTrue(killed.taskKilled());
    assertFalse(killed.executorLost());
    assertEquals("TaskKilled (for a reason)", killed.endedBy(null));
    assertFalse(failure("Job aborted due to stage failure: TaskKilled (x)").taskKilled());
  }

  @Test
  void aLostShuffleOutputIsToldFromOtherFailuresOfBarrierStages() {
    String begin =
        "Job aborted due to stage failure: Could not recover from a failed barrier ResultStage."
            + " Most recent failure reason: ";
    assertTrue(
        failure(begin + "org.apache.spark.shuffle.FetchFailedException\n\tat a").inputLost());
    assertTrue(
        failure(begin + "\norg.apache.spark.shuffle.MetadataFetchFailedException: Missing")
            .inputLost());
    assertFalse(
        failure(
                begin
                    + "Stage failed because barrier task ResultTask(1, 0) finished"
                    + " unsuccessfully.\norg.apache.spark.shuffle.FetchFailedException")
            .inputLost());
  }

  @Test
  void aCancelledJobIsKnown() {
    assertTrue(
        failure("[SPARK_JOB_CANCELLED] Job 3 cancelled as part of cancellation of all jobs")
            .jobCancelled());
    assertFalse(failure("Job aborted due to stage failure: Task 0 failed").jobCancelled());
  }

  @Test
  void anyOtherReasonIsGivenByItsFirstSentence() {
    assertEquals(
        "Job aborted: it is so",
        failure("Job aborted: it is so. See the log.\n at x").endedBy(null));
    assertEquals(303, failure("x".repeat(2000)).endedBy(null).length());
    assertEquals(
        "java.lang.RuntimeException", new SparkFailure(new RuntimeException()).endedBy(null));
  }
}
