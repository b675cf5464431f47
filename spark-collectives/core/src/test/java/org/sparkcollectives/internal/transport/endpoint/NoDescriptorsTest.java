package org.sparkcollectives.internal.transport.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.testing.JavaProcess;

/** What a process says that has as many files open as it may, at both ends of a connection. */
final class NoDescriptorsTest {
  private static final String CAUSE = "this process cannot open a socket, Too many open files";

  @Test
  void whoDialsAndWhoAcceptsNameTheDescriptors() throws Exception {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -n 200; exec \"$@\"", "sh"));
    // To read its container's limits a virtual machine opens a file now and then.
    List<String> options =
        List.of(
            "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UseContainerSupport");
    command.addAll(JavaProcess.command(options, ScarceProcess.class, List.of()));
    try (JavaProcess process = JavaProcess.start(command).within(Duration.ofSeconds(60))) {
      String fresh = process.expect(ScarceProcess.FRESH);
      assertTrue(fresh.contains("rank 0"), fresh);
      assertTrue(fresh.contains("cannot open a selector, Too many open files"), fresh);
      String dialer = process.expect(ScarceProcess.DIALER);
      assertTrue(dialer.contains("no connection to rank 1"), dialer);
      assertTrue(dialer.contains(CAUSE), dialer);
      assertTrue(dialer.contains("ulimit -n"), dialer);
      String log = process.expect(ScarceProcess.LOG);
      assertTrue(log.startsWith("connections to the port of spark-collectives wait"), log);
      assertTrue(log.contains(CAUSE), log);
      assertEquals(ScarceProcess.LINKED, process.line());
      assertTrue(process.awaitEnd());
    }
  }
}
