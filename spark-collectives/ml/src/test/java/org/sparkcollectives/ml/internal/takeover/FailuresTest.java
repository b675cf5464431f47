package org.sparkcollectives.ml.internal.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import org.apache.spark.SparkException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.error.RankFailedException;

/** What lies behind a failure of a call. */
class FailuresTest {

  /** A log is not begun by a thread that is interrupted. */
  @BeforeAll
  static void beginLog() {
    assertFalse(Failures.cancelled(new AbortedException("aborted", null)));
  }

  @Test
  void whatSparkThrowsIsFoundBehindTheLibrarysException() {
    SparkException ofSpark = new SparkException("Job 3 cancelled part of cancelled job group b");
    AbortedException thrown =
        new AbortedException("aborted", new IllegalStateException("because", ofSpark));
    assertSame(ofSpark, Failures.asSparkThrows(thrown));
    assertTrue(Failures.cancelled(thrown));
    AbortedException alone = new AbortedException("aborted", null);
    assertSame(alone, Failures.asSparkThrows(alone));
    assertFalse(Failures.cancelled(alone));
  }

  @Test
  void anInterruptionIsNoLongerTheThreads() {
    InterruptedException interrupted = new InterruptedException();
    Thread.currentThread().interrupt();
    assertSame(interrupted, Failures.asSparkThrows(new AbortedException("aborted", interrupted)));
    assertFalse(Thread.interrupted());
  }

  @Test
  void aThreadThatIsInterruptedDoesNotGoOn() {
    InterruptedIOException ofHadoop = new InterruptedIOException("waiting");
    assertTrue(Failures.interrupted(new UncheckedIOException(ofHadoop)));
    assertTrue(Failures.interrupted(new InterruptedException()));
    assertFalse(Failures.interrupted(new UncheckedIOException(new SocketTimeoutException("late"))));
    assertFalse(
        Failures.interrupted(new SparkException("Job aborted due to stage failure", ofHadoop)));
    IllegalStateException other = new IllegalStateException("other");
    assertFalse(Failures.interrupted(other));
    Thread.currentThread().interrupt();
    assertTrue(Failures.interrupted(other));
    assertTrue(Thread.interrupted());
  }

  @Test
  void aWordInAMessageIsNoCancellation() {
    SparkException lost =
        new SparkException(
            "Job aborted due to stage failure: Could not recover: ExecutorLostFailure (executor 2"
                + " exited) Reason: allocation cancelled");
    assertFalse(Failures.cancelled(new AbortedException("aborted", lost)));
  }

  @Test
  void whatARankTellsIsTheApplications() {
    RankFailedException ofRank =
        new RankFailedException("rank 1", new IllegalStateException("order cancelled"));
    assertFalse(Failures.cancelled(ofRank));
  }

  @Test
  void whatTheApplicationThrowsAtTheDriverIsNoFailureOfTheLibrary() {
    for (Throwable each :
        List.of(
            new IllegalStateException("pool shut down"),
            new NullPointerException("no partitions"),
            new AssertionError("too many"))) {
      assertTrue(Failures.isLibrarys(each), "thrown here: " + each);
      assertFalse(Failures.isLibrarys(by("com.example.Source", each)), each.toString());
      assertFalse(Failures.isLibrarys(by("org.apache.spark.rdd.RDD", each)), each.toString());
      assertTrue(Failures.isLibrarys(by("org.sparkcollectives.Group", each)), each.toString());
    }
    assertFalse(Failures.isLibrarys(new ArithmeticException("of whatever code")));
    assertTrue(Failures.isLibrarys(by("org.apache.spark.rdd.RDD", new NoSuchMethodError("x"))));
    assertTrue(Failures.isLibrarys(new AbortedException("aborted", null)));
    assertFalse(
        Failures.isLibrarys(
            new RankFailedException("rank 1", by("com.example.F", new AssertionError("odd")))));
  }

  @Test
  void aClassOfTheLibraryThatExecutorsLackIsItsOwnFailure() {
    String task =
        "Job aborted due to stage failure: Could not recover from a failed barrier ResultStage."
            + " Most recent failure reason: Stage failed because barrier task ResultTask(1, 0)"
            + " finished unsuccessfully.\n";
    String missing = "java.lang.ClassNotFoundException: org.sparkcollectives.ml.Fold";
    SparkException ofSpark = new SparkException(task + missing);
    assertTrue(Failures.isLibrarys(new AbortedException("a reduction failed", ofSpark)));
    assertTrue(Failures.isLibrarys(ofSpark), "of a job that is not the library's own");
    SparkException ofUser = new SparkException(task + "com.example.E: " + missing);
    assertFalse(Failures.isLibrarys(new AbortedException("a reduction failed", ofUser)));
  }

  /** The same, thrown by a class's check by Scala's and Java's means. */
  private static Throwable by(String className, Throwable thrown) {
    thrown.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("scala.Predef$", "assert", "Predef.scala", 1),
          new StackTraceElement("java.util.Objects", "requireNonNull", "Objects.java", 1),
          new StackTraceElement(className, "call", null, 1),
          new StackTraceElement("org.sparkcollectives.ml.internal.rows.Rows", "of", null, 1)
        });
    return thrown;
  }

  @Test
  void aCircleOfCausesEnds() {
    IllegalStateException first = new IllegalStateException("first");
    first.initCause(new IllegalStateException("second", first));
    AbortedException thrown = new AbortedException("aborted", first);
    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> {
          assertFalse(Failures.cancelled(first));
          assertEquals(thrown, Failures.asSparkThrows(thrown));
        });
  }
}
