package org.sparkcollectives.tools;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.spark.internal.conf.CostProfile;
import org.sparkcollectives.testing.Documents;
import org.sparkcollectives.tools.internal.json.ScheduleJson;
import org.sparkcollectives.verify.Verifier;

/** The jar by itself, with {@code java -jar}, and with Spark's jars from an installation. */
final class RunnableJarIT {
  @TempDir private Path folder = Path.of("unset");

  /** Deletes links to jars, of which JUnit would warn one by one. */
  @AfterEach
  void deleteLinks() throws IOException {
    Path jars = folder.resolve("spark/jars");
    if (Files.isDirectory(jars)) {
      try (Stream<Path> links = Files.list(jars)) {
        for (Path link : links.toList()) {
          Files.delete(link);
        }
      }
    }
  }

  private Commands.Result run(String line) throws Exception {
    return Commands.jar(folder, Map.of(), line.split(" ", -1));
  }

  /** What it has written to its standard error, but that it is still at work. */
  private static String said(Commands.Result result) {
    return result.err().lines().filter(line -> !line.startsWith("  … ")).collect(joining("\n"));
  }

  private String output(String line) throws Exception {
    Commands.Result result = run(line);
    assertEquals(0, result.status(), result::toString);
    assertEquals("", said(result));
    return result.out();
  }

  @Test
  void holdsTheLibraryButNeitherSparkNorJacksonByItsName() throws IOException {
    try (JarFile jar = new JarFile(Commands.jar().toFile())) {
      Set<String> roots =
          jar.stream()
              .map(entry -> entry.getName())
              .filter(name -> name.endsWith(".class"))
              .map(
                  name -> name.startsWith("org/") ? name.split("/", -1)[1] : name.split("/", -1)[0])
              .collect(Collectors.toCollection(TreeSet::new));
      assertEquals(Set.of("picocli", "sparkcollectives"), roots);
      assertEquals(
          "org.sparkcollectives.tools.Main",
          jar.getManifest().getMainAttributes().getValue("Main-Class"));
    }
  }

  /** Jars of three lines of Spark have the same name. */
  @Test
  void tellsItsVersionAndTheLineThatItIsMadeFor() throws Exception {
    for (String line : List.of("--version", "list --version")) {
      String version = output(line);
      assertTrue(
          version.matches("spark-collectives [0-9][^ ]*, for Spark [0-9.]+ and Scala 2\\.13\\R"),
          version);
    }
  }

  /** Also the notice of Jackson, but nobody's whose code it has not. */
  @Test
  void holdsTheLicenceOfTheProject() throws IOException {
    try (JarFile jar = new JarFile(Commands.jar().toFile())) {
      assertEquals(Files.readString(Path.of("../../LICENSE")), text(jar, "META-INF/LICENSE"));
      String notice = text(jar, "META-INF/NOTICE");
      assertTrue(notice.startsWith(Files.readString(Path.of("../../NOTICE"))), notice);
      assertEquals(2, notice.split("# Jackson JSON processor", -1).length, notice);
      assertTrue(notice.contains("FastDoubleParser"), notice);
      assertFalse(notice.contains("Apache Software Foundation"), notice);
    }
  }

  private static String text(JarFile jar, String name) throws IOException {
    try (InputStream stream = jar.getInputStream(jar.getEntry(name))) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void listsAndPrintsAndVerifies() throws Exception {
    assertEquals(
        Algorithms.all().size(),
        output("list")
            .lines()
            .filter(line -> line.matches("[a-z_]+ +[a-z0-9-]+ +(-|yes|no) .*"))
            .count());
    String json = output("schedule --collective allreduce --algorithm two-tree --size 5 --json");
    assertTrue(Verifier.verify(ScheduleJson.read(json), null).isCorrect());
    String verified = output("verify --max-size 4 --collective scan");
    assertTrue(verified.stripTrailing().endsWith("all correct"), verified);
  }

  @Test
  void explainsAndPricesAndSimulates() throws Exception {
    String profile = Path.of("../../conf/cost-200mbit.json").toAbsolutePath().toString();
    String operation = " --collective allreduce --size 13 --bytes 8m --profile " + profile;
    assertTrue(output("explain" + operation).contains(": it is the cheapest; "));
    assertTrue(output("price" + operation).startsWith("profile: nominal: hosts with cards of 200"));
    String simulated = output("simulate" + operation + " --algorithm ring");
    assertTrue(simulated.contains("  simulated     "), simulated);
    assertTrue(simulated.contains("simulated ÷ closed form "), simulated);
  }

  @Test
  void draws() throws Exception {
    assertEquals("", output("draw --collective broadcast --algorithm two-tree --size 10 -o a.svg"));
    assertTrue(Files.readString(folder.resolve("a.svg")).startsWith("<svg "));
  }

  @Test
  void doesWhatTheDocumentsShow() throws Exception {
    Path root = Path.of("../..").toAbsolutePath().normalize();
    Files.createSymbolicLink(folder.resolve("conf"), root.resolve("conf"));
    Files.writeString(
        folder.resolve("schedules.json"),
        output("schedule --collective scan --algorithm two-tree --size 3 --json"));
    Set<List<String>> lines = new LinkedHashSet<>();
    for (Documents.Block block : Documents.blocks(root)) {
      if (Set.of("bash", "sh").contains(block.language())) {
        for (List<String> command : block.commands()) {
          if (command.get(0).equals("spark-collectives/collectives")) {
            lines.add(command.subList(1, command.size()));
          }
        }
      }
    }
    lines.removeIf(line -> line.get(0).equals("calibrate")); // which needs a cluster
    assertTrue(lines.size() >= 8, lines.toString());
    for (List<String> line : lines) {
      Commands.Result result = Commands.jar(folder, Map.of(), line.toArray(String[]::new));
      assertEquals(0, result.status(), () -> line + ": " + result);
    }
  }

  @Test
  void saysWhatIsWrong() throws Exception {
    Commands.Result result = run("schedule --collective scna --algorithm ring --size 4");
    assertEquals(2, result.status(), result::toString);
    assertTrue(result.err().startsWith("unknown collective 'scna': the collectives are "));
    assertEquals("", result.out());
    result = run("price --collective scan --size 4 --bytes 8 --profile no-such.json");
    assertEquals(2, result.status(), result::toString);
    assertTrue(
        result
            .err()
            .startsWith(
                "the cost profile no-such.json cannot be read: there is no such file. Give a"),
        result::toString);
  }

  @Test
  void withoutSparkItSaysHowToCalibrate() throws Exception {
    Commands.Result result = run("calibrate --master local[2]");
    assertEquals(2, result.status(), result::toString);
    assertEquals(
        "'collectives calibrate' cannot run without Spark: its classes are not on the class path,"
            + " and SPARK_HOME is not set. Set SPARK_HOME to an installation of Spark, or give this"
            + " jar to spark-submit with --class org.sparkcollectives.tools.Main."
            + System.lineSeparator(),
        result.err());
    result = run("price --collective scan --size 4 --bytes 8 --profile hdfs://host/profile.json");
    assertEquals(2, result.status(), result::toString);
    assertTrue(
        result
            .err()
            .startsWith(
                "the cost profile hdfs://host/profile.json cannot be read without Spark: its"),
        result::toString);
    result =
        Commands.jar(
            folder, Map.of("SPARK_HOME", folder.toString()), "calibrate", "--master", "local[2]");
    assertEquals(2, result.status(), result::toString);
    assertTrue(result.err().contains("SPARK_HOME is '" + folder + "', which has no folder jars."));
    Files.createDirectories(folder.resolve("jars"));
    result =
        Commands.jar(
            folder, Map.of("SPARK_HOME", folder.toString()), "calibrate", "--master", "local[2]");
    assertEquals(2, result.status(), result::toString);
    assertTrue(result.err().contains("there is no Spark of 3.3 or later in "), result::toString);
  }

  @Test
  void calibratesWithTheSparkOfAnInstallation() throws Exception {
    Path jars = Files.createDirectories(folder.resolve("spark/jars"));
    for (String entry : sparkClassPath()) {
      Path link = jars.resolve(Path.of(entry).getFileName().toString());
      if (!Files.exists(link)) {
        Files.createSymbolicLink(link, Path.of(entry));
      }
    }
    Commands.Result result =
        Commands.jar(
            folder, withSpark(), "calibrate", "--master", "local[2]", "-o", "profile.json");
    assertCalibrated(result);
    // The same process reads profiles by URLs.
    result =
        Commands.jar(
            folder,
            withSpark(),
            "price",
            "--collective=scan",
            "--size=4",
            "--bytes=8",
            "--profile",
            folder.resolve("profile.json").toUri().toString());
    assertEquals(0, result.status(), result::toString);
    assertTrue(result.out().startsWith("profile: "), result::toString);
    assertFalse(result.out().startsWith("profile: nominal"), result::toString);
  }

  @Test
  void calibratesWithTheClassPathThatTheScriptGives() throws Exception {
    assertCalibrated(calibrate("local[2]"));
  }

  @Test
  void aMasterThatIsNoneIsToldWithoutATrace() throws Exception {
    Commands.Result result = calibrate("host:7077");
    assertEquals(2, result.status(), result::toString);
    assertTrue(result.err().contains("no application starts on host:7077: "), result::toString);
    assertFalse(result.err().contains("\tat "), result::toString);
  }

  private Commands.Result calibrate(String master) throws Exception {
    List<String> command = new ArrayList<>(Commands.java());
    command.add(
        "-Dcollectives.spark.classpath=" + String.join(File.pathSeparator, sparkClassPath()));
    command.addAll(List.of("-jar", Commands.jar().toString()));
    command.addAll(List.of("calibrate", "--master", master, "-o", "profile.json"));
    return Commands.run(folder, Commands.quickStart(), command);
  }

  /** The installation, and how the process with Spark starts that the jar's starts. */
  private Map<String, String> withSpark() {
    Map<String, String> variables = new HashMap<>(Commands.quickStart());
    variables.put("SPARK_HOME", folder.resolve("spark").toString());
    return variables;
  }

  private void assertCalibrated(Commands.Result result) throws IOException {
    assertEquals(0, result.status(), result::toString);
    assertTrue(result.out().stripTrailing().endsWith("written to profile.json"), result::toString);
    assertTrue(result.err().contains("  … an application on local[2] starts"), result::toString);
    assertTrue(result.err().contains("  … messages at level process: pass 3 of 3"));
    assertFalse(result.err().contains(" INFO "), result::toString);
    String profile = Files.readString(folder.resolve("profile.json"));
    assertTrue(CostProfile.read(profile, "profile.json").network().alphaNanos() > 0, profile);
  }

  /** The jars that the tests have Spark from. */
  private static List<String> sparkClassPath() {
    return List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1)).stream()
        .filter(entry -> entry.endsWith(".jar") && !entry.contains("spark-collectives"))
        .toList();
  }
}
