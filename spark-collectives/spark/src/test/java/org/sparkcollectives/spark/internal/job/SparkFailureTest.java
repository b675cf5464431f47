package org.sparkcollectives.spark.internal.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
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
                + " finished unsuccessfully.\n"
                + "ExecutorLostFailure (executor 3 exited caused by one of the running tasks)"
                + " Reason: Command exited with code 137\n"
                + "Driver stacktrace:");
    assertTrue(lost.executorLost());
    assertFalse(lost.jobCancelled());
    assertEquals(
        "ExecutorLostFailure (executor 3 exited caused by one of the running tasks)"
            + " Reason: Command exited with code 137",
        lost.endedBy(null));
  }

  @Test
  void anExecutorThatEndsAndTakesNoTasksIsLost() {
    String rejected =
        "java.util.concurrent.RejectedExecutionException: Task"
            + " org.apache.spark.executor.Executor$TaskRunner@5a1f rejected from"
            + " java.util.concurrent.ThreadPoolExecutor@2b[Shutting down, pool size = 1]";
    String barrier =
        "Job aborted due to stage failure: Could not recover from a failed barrier ResultStage."
            + " Most recent failure reason: Stage failed because barrier task ResultTask(72, 0)"
            + " finished unsuccessfully.\n";
    SparkFailure lost = failure(barrier + rejected + "\n\tat a");
    assertTrue(lost.executorLost() && lost.executorEnds());
    assertEquals(rejected, lost.endedBy(null));
    String ordinary =
        "Job aborted due to stage failure: Task 0 in stage 3.0 failed 4 times, most recent"
            + " failure: Lost task 0.3 in stage 3.0 (TID 34) (host executor 5): ";
    SparkFailure each = failure(ordinary + rejected);
    assertTrue(each.executorLost() && each.executorEnds() && !each.taskFailed());
    String users = rejected.replace("org.apache.spark.executor.Executor$TaskRunner", "mine.Task");
    assertFalse(failure(barrier + users).executorLost(), users);
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
  void aClassOfTheLibraryThatAnExecutorLacksIsFoundInTheMiddle() {
    String barrier =
        "Job aborted due to stage failure: Could not recover from a failed barrier ResultStage."
            + " Most recent failure reason: Stage failed because barrier task ResultTask(1, 0)"
            + " finished unsuccessfully.\n";
    String ordinary =
        "Job aborted due to stage failure: Task 0 in stage 1.0 failed 4 times, most recent"
            + " failure: Lost task 0.3 in stage 1.0 (TID 9) (host executor 3): ";
    for (String begin : List.of(barrier, ordinary)) {
      for (String missing :
          List.of(
              "java.lang.ClassNotFoundException: org.sparkcollectives.ml.internal.takeover.Fold",
              "java.lang.NoClassDefFoundError: org/sparkcollectives/ml/internal/takeover/Fold",
              "java.io.InvalidClassException: org.sparkcollectives.ml.A; local class incompatible")) {
        assertTrue(failure(begin + missing + "\n\tat a").classMissing(), missing);
        assertFalse(failure(begin + "com.example.E: " + missing).classMissing(), missing);
      }
      assertFalse(
          failure(begin + "java.lang.ClassNotFoundException: com.example.Fold").classMissing());
    }
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
    assertTrue(failure("[SPARK_JOB_CANCELLED] Job 3 cancelled  SQLSTATE: XXKDA").jobCancelled());
    assertTrue(failure("Job 3 cancelled because SparkContext was shut down").jobCancelled());
    assertFalse(failure("Job aborted due to stage failure: Task 0 failed").jobCancelled());
  }

  @Test
  void whatSparkSaysIsNotFoundInWhatAUserHasThrown() {
    String barrier =
        "Job aborted due to stage failure: Could not recover from a failed barrier ResultStage."
            + " Most recent failure reason: ";
    String task = "Stage failed because barrier task ResultTask(1, 0) finished unsuccessfully.\n";
    String lost = "ExecutorLostFailure (executor 3 exited)";
    String killed = "TaskKilled (for a reason)";
    for (String begin :
        List.of(
            barrier + task + "java.lang.IllegalStateException: ",
            "Job aborted due to stage failure: Task 0 in stage 1.0 failed 4 times, most recent"
                + " failure: Lost task 0.3 in stage 1.0 (TID 9) (host executor 3):"
                + " java.lang.IllegalStateException: ")) {
      for (String text :
          List.of(
              "Job 17 cancelled by its owner",
              lost,
              killed,
              task + lost,
              task + killed,
              "(TID 1) (a host): " + lost,
              barrier + "org.apache.spark.shuffle.FetchFailedException")) {
        SparkFailure failure = failure(begin + text + "\n\tat a");
        assertFalse(failure.jobCancelled(), text);
        assertFalse(failure.executorLost(), text);
        assertFalse(failure.taskKilled(), text);
        assertFalse(failure.inputLost(), text);
      }
    }
  }

  @Test
  void anExecutorThatIsLostInAnOrdinaryStageIsFound() {
    for (String text :
        List.of(
            "Task 0 in stage 1.0 failed 4 times, most recent failure: Lost task 0.3 in stage 1.0"
                + " (TID 9) (127.0.0.1 executor 3): ExecutorLostFailure (executor 3 exited caused"
                + " by one of the running tasks) Reason: gone\nDriver stacktrace:",
            "ShuffleMapStage 3 (map at A.java:1) has failed the maximum allowable number of times:"
                + " 4. Most recent failure reason:\nStage failed because barrier task"
                + " ShuffleMapTask(3, 1) finished unsuccessfully.\nExecutorLostFailure (executor 3"
                + " exited caused by one of the running tasks) Reason: gone")) {
      SparkFailure lost = failure("Job aborted due to stage failure: " + text);
      assertTrue(lost.executorLost(), text);
      assertEquals(
          "ExecutorLostFailure (executor 3 exited caused by one of the running tasks) Reason: gone",
          lost.endedBy(null));
    }
  }

  @Test
  void aTaskOfAnOrdinaryStageThatFailsByItselfIsToldFromOneThatIsLost() {
    String begin =
        "Job aborted due to stage failure: Task 0 in stage 1.0 failed 4 times, most recent failure:"
            + " Lost task 0.3 in stage 1.0 (TID 9) (127.0.0.1 executor 3): ";
    for (String text :
        List.of(
            begin + "java.lang.IllegalStateException: ExecutorLostFailure (executor 3)\n\tat a",
            begin + "org.apache.spark.api.python.PythonException: Traceback:",
            "Job aborted due to stage failure: Task not serializable: java.io"
                + ".NotSerializableException: a.B",
            "Job aborted due to stage failure: Failed to serialize task 9, not attempting to retry"
                + " it. Exception during serialization: java.io.NotSerializableException: a.B",
            "Job aborted due to stage failure: Task serialization failed: java.io"
                + ".NotSerializableException: a.B",
            "Job aborted due to stage failure: Task creation failed: java.lang.ArithmeticException",
            "Job aborted due to stage failure: task 0.0 in stage 1.0 (TID 3) had a not serializable"
                + " result: a.B")) {
      assertTrue(failure(text).taskFailed(), text);
    }
    for (String text :
        List.of(
            begin + "ExecutorLostFailure (executor 3 exited caused by one of the running tasks)",
            begin + "FetchFailed(BlockManagerId(1, a, 2, None), shuffleId=0, message=\nb\n)",
            begin + "TaskResultLost (result lost from block manager)",
            begin + "TaskKilled (for a reason)",
            "Job aborted due to stage failure: Could not recover from a failed barrier ResultStage."
                + " Most recent failure reason: Stage failed because barrier task ResultTask(1, 0)"
                + " finished unsuccessfully.\n"
                + begin
                + "java.lang.IllegalStateException: no",
            "Job 3 cancelled")) {
      assertFalse(failure(text).taskFailed(), text);
    }
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
