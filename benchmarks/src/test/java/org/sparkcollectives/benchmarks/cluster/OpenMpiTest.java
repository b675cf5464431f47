package org.sparkcollectives.benchmarks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenMpiTest {
  @TempDir Path folder = Path.of("unset");

  @Test
  void theAgentPutsWordsBeforeItsOwnWhateverIsInThem() throws IOException, InterruptedException {
    Path script = Files.createDirectory(folder.resolve("it's a folder")).resolve("netcluster");
    Files.writeString(script, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    Path agent = folder.resolve("agent");
    OpenMpi.writeAgent(List.of(script.toString(), "rsh", "bench1"), agent);
    Path printed = folder.resolve("printed");
    Process process =
        new ProcessBuilder(agent.toString(), "10.0.0.1", "a command; of 2 words")
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertEquals(
        List.of("rsh", "bench1", "10.0.0.1", "a command; of 2 words"), Files.readAllLines(printed));
  }
}
