package org.sparkcollectives.benchmarks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class PrintedTest {
  @Test
  void allUntilTheEnd() throws IOException {
    Process process = shell("cat; echo one; echo two; exit 3");
    assertEquals("one\ntwo\n", Printed.by(process, "it", Duration.ofMinutes(1)));
    assertEquals(3, process.exitValue());
  }

  /** It prints until its end, has closed its output, or has left that to another one. */
  @ParameterizedTest
  @ValueSource(strings = {"exec sleep 600", "exec sleep 600 >&-", "sleep 600; exit"})
  void aProcessThatHangsIsEnded(String script) throws IOException, InterruptedException {
    Process process = shell(script);
    IOException e =
        assertThrows(
            IOException.class, () -> Printed.by(process, "netcluster", Duration.ofMillis(100)));
    String message = String.valueOf(e.getMessage());
    assertEquals("netcluster has not ended within 100 ms", message);
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    assertFalse(process.exitValue() == 0);
  }

  private static Process shell(String script) throws IOException {
    return new ProcessBuilder("sh", "-c", script).start();
  }
}
