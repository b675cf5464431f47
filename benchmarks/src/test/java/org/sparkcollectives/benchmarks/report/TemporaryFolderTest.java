package org.sparkcollectives.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.testing.JavaProcess;

@Timeout(60)
class TemporaryFolderTest {
  private static final String READY = "READY ";

  @TempDir Path parent = Path.of("unset");

  @Test
  void goesWithItsFilesWhenItIsClosed() throws IOException {
    TemporaryFolder folder = TemporaryFolder.in(parent, "some");
    Files.writeString(folder.path().resolve("file"), "text");
    folder.close();
    assertFalse(Files.exists(folder.path()), "it is there");
    folder.close();
  }

  @Test
  void goesWhenTheProcessIsToldToEnd() throws IOException {
    List<String> command =
        JavaProcess.command(List.of(), Waiting.class, List.of(parent.toString()));
    try (JavaProcess process = JavaProcess.start(command)) {
      Path path = Path.of(process.expect(READY));
      assertTrue(Files.exists(path.resolve("file")), path::toString);
      process.signal("TERM");
      assertTrue(process.awaitEnd(), "it goes on");
      assertFalse(Files.exists(path), path::toString);
    }
  }

  /** A process that has a folder, and ends with its input. */
  static final class Waiting {
    private Waiting() {}

    public static void main(String[] args) throws IOException {
      TemporaryFolder folder = TemporaryFolder.in(Path.of(args[0]), "some");
      Files.writeString(folder.path().resolve("file"), "text");
      System.out.println(READY + folder.path());
      int end = System.in.read();
      System.out.println(end);
    }
  }
}
