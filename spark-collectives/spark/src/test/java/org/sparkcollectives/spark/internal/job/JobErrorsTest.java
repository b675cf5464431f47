package org.sparkcollectives.spark.internal.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.error.CollectiveException;

class JobErrorsTest {
  private final CollectiveException last = new CollectiveException("last", null);

  @Test
  void whereMemoryIsLackingMoreOfItIsAdvisedHoweverManyAttemptsThereWere() {
    String one =
        JobErrors.attemptsFailed("reduce", List.of("lost rank 1"), true, last).getMessage();
    assertTrue(one.startsWith("reduce failed at its only attempt: "), one);
    assertTrue(one.contains("had no memory left: raise spark.executor.memory"), one);
    String two = JobErrors.attemptsFailed("reduce", List.of("a", "b"), true, last).getMessage();
    assertTrue(two.startsWith("reduce failed at each of 2 attempts: 1) a; 2) b"), two);
    assertTrue(two.contains("had no memory left: raise spark.executor.memory"), two);
    String lack =
        JobErrors.notSubmittedAgain("reduce", List.of("a"), "no executor was left", true, last)
            .getMessage();
    assertTrue(lack.contains("had no memory left: raise spark.executor.memory"), lack);
  }

  @Test
  void elseMoreAttemptsAre() {
    CollectiveException thrown = JobErrors.attemptsFailed("reduce", List.of("a", "b"), false, last);
    assertTrue(thrown.getMessage().endsWith("or raise spark.collectives.retries."));
    assertEquals(last, thrown.getCause());
  }
}
