package org.sparkcollectives.spark.internal.job;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LostExceptionTest {

  @Test
  void itIsFoundWhereACauseSuppressesIt() {
    IllegalStateException cause = new IllegalStateException("cause");
    RuntimeException thrown = new RuntimeException("outer", cause);
    assertFalse(LostException.isBehind(thrown));
    cause.addSuppressed(new LostException(false));
    assertTrue(LostException.isBehind(thrown));
    assertFalse(LostException.lackedMemory(thrown));
    cause.addSuppressed(new LostException(true));
    assertTrue(LostException.lackedMemory(thrown));
  }

  @Test
  void theLookEndsWhereCausesFormACircle() {
    IllegalStateException first = new IllegalStateException("first");
    first.initCause(new IllegalStateException("second", first));
    assertTimeoutPreemptively(
        Duration.ofMinutes(1), () -> assertFalse(LostException.isBehind(first)));
  }
}
