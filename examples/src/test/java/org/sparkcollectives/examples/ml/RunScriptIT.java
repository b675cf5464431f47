package org.sparkcollectives.examples.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.examples.Submissions;

/** The script {@code examples/run} in a small copy of the repository, with an mvn that is none. */
@Timeout(240)
final class RunScriptIT {
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  @TempDir private Path folder = Path.of("unset");

  private Path clone = folder;

  @BeforeEach
  void copy() throws IOException {
    clone = folder.toRealPath().resolve("clone");
    for (String name :
        List.of(
            "pom.xml",
            ".mvn/build.sh",
            ".mvn/ModuleOptions.java",
            "examples/run",
            "examples/conf/log4j2.properties")) {
      Files.createDirectories(clone.resolve(name).getParent());
      Files.copy(REPOSITORY.resolve(name), clone.resolve(name));
    }
    List<String> lines = new ArrayList<>(List.of("#!/bin/sh", "set -e"));
    List<Path> library = Submissions.libraryJars();
    lines.add(copies(library.get(0), "spark-collectives/spark"));
    lines.add(copies(library.get(1), "spark-collectives/ml"));
    lines.add(copies(Submissions.examplesJar(), "examples"));
    lines.add("for a in \"$@\"; do case $a in -Dmdep.outputFile=*)");
    lines.add("  echo \"${CLASS_PATH-" + classPath() + "}\" >\"${a#*=}\" ;; esac; done");
    Path mvn = Files.createDirectory(folder.resolve("bin")).resolve("mvn");
    executable(mvn, String.join("\n", lines));
  }

  private static void executable(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** What stands for the build of a jar. */
  private String copies(Path jar, String module) {
    Path target = clone.resolve(module).resolve("target");
    return "mkdir -p '%s' && cp '%s' '%s/'".formatted(target, jar, target);
  }

  private static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> !entry.startsWith(REPOSITORY + File.separator))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Spark's shuffles of numbers need modules that a JVM opens only where it is told so. */
  @Test
  void startsADriverThatCanShuffleNumbers() throws IOException, InterruptedException {
    List<String> samples = new ArrayList<>();
    for (int line = 0; line < 200; line++) {
      samples.add("0 1:" + (line % 3 * 100 + line % 7) + " 2:" + (line % 5 + 1));
    }
    Path data = Files.write(folder.resolve("samples"), samples);
    String said = run("k-means", "--master", "local[2]", "--data=" + data, "-k", "3");
    assertTrue(said.contains("150 training samples, 50 test samples, 2 features"), said);
    assertTrue(said.matches("(?s).*\\d iterations in .* s, cost \\d.*"), said);
    try (Stream<Path> left = Files.list(clone.resolve("examples/target/spark"))) {
      assertEquals(
          List.of("built", "classpath", "conf", "jars", "links", "modules"),
          left.map(file -> file.getFileName().toString()).sorted().toList());
    }
  }

  /** A signal comes to the script alone, and ends the driver before its installation goes. */
  @Test
  void aSignalEndsTheDriverAndThenItsInstallation() throws IOException, InterruptedException {
    Path said = folder.resolve("said.txt");
    Path told = folder.resolve("told.txt");
    Path last = folder.resolve("last.txt");
    Path java = Files.createDirectories(folder.resolve("jdk/bin")).resolve("java");
    String real = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    executable(
        java,
        """
        #!/bin/sh
        case "$*" in *SparkSubmit*) ;; *ModuleOptions*) exit ;; *) exec '%s' "$@" ;; esac
        trap 'ls -d "$SPARK_HOME/jars" >"%s"; exit 7' TERM
        read -r line
        echo "$line" >"%s.part"
        mv "%s.part" "%s"
        while :; do sleep 0.1; done
        """
            .formatted(real, last, told, told, told));
    ProcessBuilder builder = script(said, "k-means");
    builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
    builder.environment().put("CLASS_PATH", folder.resolve("a.jar").toString());
    Process process = builder.start();
    List<ProcessHandle> started = List.of();
    try {
      process.getOutputStream().write("a line\n".getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().close();
      while (!Files.exists(told)) {
        assertTrue(process.isAlive(), () -> read(said));
        Thread.sleep(50);
      }
      assertEquals("a line\n", read(told), "the standard input is the driver's");
      started = process.children().toList();
      process.destroy();
      assertTrue(process.waitFor(1, TimeUnit.MINUTES), () -> "goes on: " + read(said));
      assertEquals(7, process.exitValue(), () -> read(said));
      assertTrue(read(last).contains("/jars"), () -> read(last));
      assertEquals(1, started.size(), "the driver");
      assertFalse(started.get(0).isAlive(), "the driver");
      try (Stream<Path> left = Files.list(clone.resolve("examples/target/spark"))) {
        assertTrue(left.noneMatch(file -> file.getFileName().toString().startsWith("run.")));
      }
    } finally {
      started.forEach(ProcessHandle::destroyForcibly);
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** Runs the script, which is to end with 0: what it says. */
  private String run(String... arguments) throws IOException, InterruptedException {
    Path said = folder.resolve("said.txt");
    Process process = script(said, arguments).start();
    try {
      assertTrue(process.waitFor(3, TimeUnit.MINUTES), () -> "goes on: " + read(said));
      assertEquals(0, process.exitValue(), () -> read(said));
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return read(said);
  }

  /** The script, not yet started, which writes what it says to a file. */
  private ProcessBuilder script(Path said, String... arguments) {
    List<String> command = new ArrayList<>(List.of("bash", clone.resolve("examples/run") + ""));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    builder.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1");
    builder.environment().keySet().removeAll(List.of("JDK_JAVA_OPTIONS", "HADOOP_CONF_DIR"));
    return builder;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
