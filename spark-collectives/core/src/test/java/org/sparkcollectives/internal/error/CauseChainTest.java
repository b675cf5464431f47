package org.sparkcollectives.internal.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CauseChainTest {

  @Test
  void theFirstIsFoundFromTheOutermostOn() {
    IOException inner = new IOException("inner");
    IOException outer = new IOException("outer", inner);
    IllegalStateException outermost = new IllegalStateException(outer);
    assertSame(outer, CauseChain.find(outermost, IOException.class::isInstance).orElseThrow());
    assertSame(outermost, CauseChain.find(outermost, each -> true).orElseThrow());
    assertSame(inner, CauseChain.find(outermost, each -> each.getCause() == null).orElseThrow());
  }

  @Test
  void aCircleOfCausesEnds() {
    IllegalStateException first = new IllegalStateException("first");
    IllegalStateException second = new IllegalStateException("second", first);
    first.initCause(second);
    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () ->
            assertEquals(Optional.empty(), CauseChain.find(first, IOException.class::isInstance)));
    assertSame(second, CauseChain.find(first, each -> each == second).orElseThrow());
  }
}
