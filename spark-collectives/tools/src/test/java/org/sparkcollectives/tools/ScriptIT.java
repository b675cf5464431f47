package org.sparkcollectives.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code collectives} in a small copy of the repository, with an mvn that is none. */
final class ScriptIT {
  private static final Path REPOSITORY = Path.of("../..").toAbsolutePath().normalize();

  @TempDir private Path folder = Path.of("unset");

  private Path script = folder;
  private Path target = folder;
  private Path log = folder;

  @BeforeEach
  void copy() throws IOException {
    Path clone = folder.toRealPath().resolve("clone");
    script = clone.resolve("spark-collectives/collectives");
    target = clone.resolve("spark-collectives/tools/target");
    log = target.resolve("build.log");
    for (String name : List.of(".mvn/build.sh", "spark-collectives/collectives")) {
      Files.createDirectories(clone.resolve(name).getParent());
      Files.copy(REPOSITORY.resolve(name), clone.resolve(name));
    }
    Files.createDirectories(clone.resolve("spark-collectives/tools/src/main"));
    for (String name : List.of("pom.xml", "spark-collectives/tools/pom.xml")) {
      Files.writeString(
          clone.resolve(name), "<project>\n  <version>0.1.0-SNAPSHOT</version>\n</project>\n");
    }
    mvn("exit 70");
  }

  /** Makes the program that stands for Maven. */
  private void mvn(String... lines) throws IOException {
    program(folder.resolve("bin/mvn"), lines);
  }

  private static void program(Path file, String... lines) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** A build as Maven's: many lines, and the jar. */
  private void buildingMvn() throws IOException {
    mvn(
        "echo build >>'" + folder.resolve("builds") + "'",
        "echo \"$@\" >'" + folder.resolve("arguments") + "'",
        "i=0; while [ $i -lt 200 ]; do echo \"[INFO] line $i\"; i=$((i + 1)); done",
        "mkdir -p '" + target + "' && cp '" + Commands.jar() + "' '" + target + "/'",
        "touch '" + target + "/spark-collectives-tools_2.13-0.1.0-SNAPSHOT-sources.jar'");
  }

  private void placeJar() throws IOException {
    Files.createDirectories(target);
    Files.copy(Commands.jar(), target.resolve(Commands.jar().getFileName()));
    Files.writeString(target.resolve("built"), "");
  }

  private Commands.Result run(Path called, String... arguments) throws Exception {
    String path = folder.resolve("bin") + ":" + System.getenv("PATH");
    return run(
        called, Map.of("PATH", path, "JAVA_HOME", System.getProperty("java.home")), arguments);
  }

  private Commands.Result run(Path called, Map<String, String> environment, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of(called.toString()));
    command.addAll(List.of(arguments));
    return Commands.run(folder, environment, command);
  }

  @Test
  void runsFromAnyDirectoryAlsoThroughALink() throws Exception {
    placeJar();
    Path link = Files.createSymbolicLink(folder.resolve("link"), script);
    for (Path called : List.of(script, link)) {
      Commands.Result result = run(called, "list");
      assertEquals(0, result.status(), result::toString);
      assertTrue(result.out().contains("two-tree"), result::toString);
      assertEquals("", result.err());
      assertEquals(2, run(called, "list", "--nonsense").status());
    }
  }

  @Test
  void buildsOnceAndSaysItInTwoLines() throws Exception {
    buildingMvn();
    Commands.Result result = run(script, "list");
    assertEquals(0, result.status(), result::toString);
    assertTrue(result.out().contains("two-tree"), result::toString);
    List<String> lines = result.err().lines().toList();
    assertEquals(2, lines.size(), result::toString);
    assertEquals(
        "Building the command line. The first build downloads what it needs with Maven and takes"
            + " minutes.",
        lines.get(0));
    assertTrue(lines.get(1).matches("Built in \\d+ s\\."), result::toString);
    assertEquals(200, Files.readAllLines(log).size(), "Maven's lines are in the log");
    assertEquals(
        "-B -DskipTests -pl spark-collectives/tools -am package",
        Files.readString(folder.resolve("arguments")).strip());
    assertEquals("", run(script, "list").err());
    assertEquals(1, Files.readAllLines(folder.resolve("builds")).size());
  }

  @Test
  void buildsAgainWhereASourceIsNewer() throws Exception {
    placeJar();
    buildingMvn();
    Path source = target.resolveSibling("src/main/A.java");
    Files.writeString(source, "class A {}");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(3)));
    assertTrue(run(script, "list").err().startsWith("Building the command line."));
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().minusSeconds(60)));
    assertEquals("", run(script, "list").err());
  }

  /** A build that ended before its last step leaves a jar that is newer than every source. */
  @Test
  void buildsAgainAfterABuildThatDidNotEnd() throws Exception {
    String jar = target + "/spark-collectives-tools_2.13-0.1.0-SNAPSHOT.jar";
    placeJar();
    Files.delete(target.resolve("built"));
    mvn("echo thin >'" + jar + "'", "exit 1");
    assertEquals(2, run(script, "list").status());
    buildingMvn();
    assertTrue(run(script, "list").err().startsWith("Building the command line."));
  }

  /** A jar of another version is none: the last of them by name need not be this one. */
  @Test
  void namesTheJarThatABuildHasNotMade() throws Exception {
    Files.createDirectories(target);
    Files.copy(Commands.jar(), target.resolve("spark-collectives-tools_2.13-0.2.0.jar"));
    mvn("exit 0");
    Commands.Result result = run(script, "list");
    assertEquals(2, result.status(), result::toString);
    String jar = target + "/spark-collectives-tools_2.13-0.1.0-SNAPSHOT.jar";
    assertTrue(result.err().contains("The build has not made " + jar + "."), result::toString);
  }

  /** Two at once: one builds, the other waits and takes what it has built. */
  @Test
  void twoAtOnceBuildOnce() throws Exception {
    buildingMvn();
    Path mvn = folder.resolve("bin/mvn");
    String building = Files.readString(mvn);
    String untilTheOtherWaits =
        "i=0; while [ $i -lt 600 ] && ! grep -qs 'Waiting for another build' '%s'/err*; do"
                .formatted(folder)
            + " sleep 0.1; i=$((i + 1)); done";
    int first = building.indexOf('\n') + 1;
    Files.writeString(
        mvn, building.substring(0, first) + untilTheOtherWaits + "\n" + building.substring(first));
    CompletableFuture<Commands.Result> one = CompletableFuture.supplyAsync(this::list);
    CompletableFuture<Commands.Result> other = CompletableFuture.supplyAsync(this::list);
    String both = one.get().err() + other.get().err();
    assertEquals(0, one.get().status(), both);
    assertEquals(0, other.get().status(), both);
    assertEquals(1, Files.readAllLines(folder.resolve("builds")).size(), both);
    assertTrue(both.contains("Waiting for another build in "), both);
  }

  private Commands.Result list() {
    try {
      return run(script, "list");
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void namesTheErrorsAndTheLogOfAFailedBuild() throws Exception {
    mvn(
        "echo '[INFO] Compiling 1 source file'",
        "echo '[WARNING] The POM of something is missing'",
        "echo '[WARNING] /folder/A.java:[2,1] [deprecation] f() is deprecated'",
        "echo '[ERROR] A.java:[3,5] not a statement'",
        "echo '[ERROR] A.java:[3,5] not a statement'",
        "echo '[ERROR] Failed to execute goal compile on project core: failure -> [Help 1]'",
        "echo '[ERROR] '",
        "echo '[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.'",
        "echo '[ERROR] Re-run Maven using the -X switch to enable full debug logging.'",
        "echo '[ERROR] [Help 1] http://cwiki.apache.org/confluence/display/MAVEN/'",
        "exit 1");
    Commands.Result result = run(script, "list");
    assertEquals(2, result.status(), result::toString);
    assertEquals("", result.out());
    List<String> lines = result.err().lines().toList();
    assertEquals(
        List.of(
            "The build of the command line failed. Maven says:",
            "[WARNING] /folder/A.java:[2,1] [deprecation] f() is deprecated",
            "[ERROR] A.java:[3,5] not a statement",
            "[ERROR] Failed to execute goal compile on project core: failure",
            "All that it wrote is in " + log + "."),
        lines.subList(1, lines.size()));
    assertEquals(10, Files.readAllLines(log).size());
  }

  @Test
  void showsTheEndOfALogWithoutErrors() throws Exception {
    mvn("echo 'mvn: no such option'", "exit 1");
    Commands.Result result = run(script, "list");
    assertEquals(2, result.status(), result::toString);
    assertTrue(
        result.err().contains("Maven says:\nmvn: no such option\nAll that"), result::toString);
  }

  @Test
  void saysThatThereIsNoMavenOrNoFittingJdk() throws Exception {
    Path tools = Files.createDirectories(folder.resolve("tools"));
    for (String name : List.of("dirname", "readlink", "sed", "find", "head", "cat")) {
      Path from = Path.of("/usr/bin", name);
      Files.createSymbolicLink(
          tools.resolve(name), Files.exists(from) ? from : Path.of("/bin", name));
    }
    Map<String, String> environment = new HashMap<>();
    environment.put("PATH", tools.toString());
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    Commands.Result result = run(script, environment, "list");
    assertEquals(2, result.status(), result::toString);
    assertEquals(
        "There is no mvn, which builds the command line. Install Maven 3.8.7 or later.\n",
        result.err());

    program(
        folder.resolve("jdk/bin/java"), "echo '    java.specification.version = 11' >&2", "exit 0");
    environment.put("JAVA_HOME", folder.resolve("jdk").toString());
    result = run(script, environment, "list");
    assertEquals(2, result.status(), result::toString);
    assertTrue(
        result
            .err()
            .endsWith("java is Java 11; 17 or later is needed. Set JAVA_HOME to such a JDK.\n"),
        result::toString);
    program(folder.resolve("broken/bin/java"), "echo 'Unrecognized option: -Xold' >&2", "exit 1");
    environment.put("JAVA_HOME", folder.resolve("broken").toString());
    result = run(script, environment, "list");
    assertEquals(2, result.status(), result::toString);
    assertTrue(
        result
            .err()
            .endsWith(
                """
                java does not run; set JAVA_HOME to a JDK of 17 or later that does. It says:
                Unrecognized option: -Xold
                """),
        result::toString);
    environment.put("JAVA_HOME", folder.resolve("no").toString());
    result = run(script, environment, "list");
    assertEquals(2, result.status(), result::toString);
    assertTrue(result.err().contains("Install a JDK of 17 or later, or set JAVA_HOME to one."));
    assertFalse(Files.exists(log));
  }
}
