package org.sparkcollectives.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code benchmarks/run}, in a repository that it finds built. */
final class RunScriptTest {
  private static final long SECONDS = 120;

  @TempDir private Path root = Path.of("unset");

  @BeforeEach
  void makeARepository() throws IOException {
    Path target = Files.createDirectories(root.resolve("benchmarks/target"));
    Files.createDirectory(root.resolve(".mvn"));
    Files.createDirectory(root.resolve("caller"));
    Files.copy(Path.of("run"), root.resolve("benchmarks/run"));
    Files.copy(Path.of("../.mvn/build.sh"), root.resolve(".mvn/build.sh"));
    Files.writeString(target.resolve("classpath"), System.getProperty("java.class.path"));
    Files.writeString(target.resolve("modules"), "-Xss1m");
    Files.createFile(target.resolve("built"));
  }

  @Test
  void pathsAreThoseOfTheCaller() throws IOException, InterruptedException {
    Path results = Path.of("results/2026-11-21-linux-2core-vm/loopback.json");
    Files.copy(results, root.resolve("caller/mine.json"));
    assertEquals("1 results written to page.html", run("report", "mine.json", "--html=page.html"));
    assertTrue(Files.exists(root.resolve("caller/page.html")));
  }

  /** Runs the script in the caller's folder: what it prints. */
  private String run(String... arguments) throws IOException, InterruptedException {
    Path printed = root.resolve("printed.txt");
    List<String> command = new ArrayList<>(List.of("bash", "../benchmarks/run"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(new File(root + "/caller"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.redirectErrorStream(true).redirectOutput(printed.toFile()).start();
    try {
      assertTrue(process.waitFor(SECONDS, TimeUnit.SECONDS), "the script goes on");
      assertEquals(0, process.exitValue(), () -> read(printed));
    } finally {
      process.destroyForcibly();
    }
    return read(printed).strip();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
