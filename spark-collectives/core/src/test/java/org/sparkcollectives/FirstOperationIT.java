package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.internal.observe.OperationEvent;
import org.sparkcollectives.testing.JavaProcess;

/** What a process's first operation need not load, and that nobody misses it. */
class FirstOperationIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** Events for a recording, and what compares records: behind each are dozens of classes. */
  private static final List<String> LEFT_OUT =
      List.of(
          OperationEvent.class.getName(), " jdk.jfr.internal.", "java.lang.runtime.ObjectMethods");

  @Test
  void loadsWhatItNeedsAlone(@TempDir Path folder) throws IOException {
    List<String> options =
        List.of(
            "-Xlog:class+load",
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Djava.io.tmpdir=" + folder);
    List<String> file = List.of(folder.resolve("operations.jfr").toString());
    List<String> command = JavaProcess.command(options, RecordedLater.class, file);
    try (JavaProcess process = JavaProcess.start(command).within(LIMIT)) {
      boolean engine = false;
      String line = process.line();
      while (line != null && !line.equals(RecordedLater.RAN)) {
        assertFalse(LEFT_OUT.stream().anyMatch(line::contains), line);
        engine |= line.contains("internal.engine.Engine ");
        line = process.line();
      }
      assertEquals(RecordedLater.RAN, line);
      assertTrue(engine, "the log names the classes that are loaded");
      assertEquals("2" + RecordedLater.END, process.expect(RecordedLater.RECORDED));
      assertTrue(process.awaitEnd());
    }
  }
}
