package org.sparkcollectives.ml.internal.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.apache.spark.SparkException;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.error.RankFailedException;

/** What lies behind a failure of a call. */
class FailuresTest {

  @Test
  void whatSparkThrowsIsFoundBehindTheLibrarysException() {
    SparkException ofSpark = new SparkException("job 3 was cancelled");
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
  void whatARankTellsIsTheApplications() {
    RankFailedException ofRank =
        new RankFailedException("rank 1", new IllegalStateException("order cancelled"));
    assertFalse(Failures.cancelled(ofRank));
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
