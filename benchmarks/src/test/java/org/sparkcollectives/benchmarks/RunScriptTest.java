package org.sparkcollectives.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
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

  @Test
  void aReportSaysWhetherTheLibrarysSourcesAreThoseOfACommit()
      throws IOException, InterruptedException {
    Path sources = root.resolve("spark-collectives/core/src/main/java/some");
    Path source = Files.createDirectories(sources).resolve("Some.java");
    Files.writeString(source, "class Some {}\n");
    git("init");
    git("add", "spark-collectives", ".mvn", "benchmarks/run");
    git("-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false", "commit", "-mm");
    String commit = git("rev-parse", "--short=12", "HEAD");
    assertTrue(scale().contains("- commit: " + commit + ", started"));
    Files.writeString(source, "class Some { }\n");
    assertTrue(scale().contains("- commit: " + commit + " with changes, started"));
  }

  @Test
  void aJarThatAnotherBuildHasCleanedAwayIsBuiltAgain() throws IOException, InterruptedException {
    Path jar = root.toRealPath().resolve("spark-collectives/spark/target/gone.jar");
    String others = System.getProperty("java.class.path");
    Files.writeString(root.resolve("benchmarks/target/classpath"), jar + ":" + others);
    Path mvn = Files.createDirectories(root.resolve("bin")).resolve("mvn");
    Files.writeString(mvn, "#!/bin/sh\nexit 7\n");
    assertTrue(mvn.toFile().setExecutable(true));
    ProcessBuilder builder = builder("report");
    builder.environment().merge("PATH", mvn.getParent().toString(), (old, bin) -> bin + ":" + old);
    String said = printed(builder, 2);
    assertTrue(said.startsWith("Building the library and the benchmarks."), said);
  }

  /** Runs a benchmark that is soon through, with the sources that are there: its report. */
  private String scale() throws IOException, InterruptedException {
    Path built = root.resolve("benchmarks/target/built");
    Files.setLastModifiedTime(built, FileTime.from(Instant.now().plusSeconds(SECONDS)));
    return run("scale", "--ranks=2", "--ranks-per-host=1", "--collective=barrier");
  }

  /** Runs git in the repository: what it prints. */
  private String git(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
    command.addAll(List.of(arguments));
    return printed(new ProcessBuilder(command), 0);
  }

  /** Runs the script in the caller's folder: what it prints. */
  private String run(String... arguments) throws IOException, InterruptedException {
    return printed(builder(arguments), 0);
  }

  private ProcessBuilder builder(String... arguments) {
    List<String> command = new ArrayList<>(List.of("bash", "../benchmarks/run"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(new File(root + "/caller"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    return builder;
  }

  private String printed(ProcessBuilder builder, int status)
      throws IOException, InterruptedException {
    Path printed = root.resolve("printed.txt");
    Process process = builder.redirectErrorStream(true).redirectOutput(printed.toFile()).start();
    try {
      assertTrue(process.waitFor(SECONDS, TimeUnit.SECONDS), "the process goes on");
      assertEquals(status, process.exitValue(), () -> read(printed));
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
