package org.sparkcollectives.ml.internal.suites;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.spark.launcher.JavaModuleOptions;
import org.sparkcollectives.spark.CollectivesPlugin;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Runs MLlib's own test suites, from its jar of tests, without and with the plugin, compares them
 * test by test, and tells how much was taken over. For the profile {@code mllib-suites}.
 */
public final class MllibSuites {
  private static final Pattern TAKEN =
      Pattern.compile(
          "taken over in (\\d+) trainings, (\\d+) sums of arrays, (\\d+) broadcasts and (\\d+)"
              + " aggregations of objects; (\\d+) left to Spark");
  private static final String LOGGING =
      """
      rootLogger.level = error
      rootLogger.appenderRef.console.ref = console
      appender.console.type = Console
      appender.console.name = console
      appender.console.layout.type = PatternLayout
      appender.console.layout.pattern = %p %c{1}: %m%n
      logger.plugin.name = org.sparkcollectives.spark.internal.plugin
      logger.plugin.level = info
      logger.ml.name = org.sparkcollectives.ml.internal.takeover
      logger.ml.level = warn
      """;

  /** Of a suite that could not begin, which is the same with and without the plugin. */
  private static final String WHOLE = ": as a whole";

  private final Path folder;
  private final List<String> suites;
  private final long minutes;

  /** What both runs have, with MLlib's tests as files, of which some read others beside them. */
  private final String classPath;

  private MllibSuites(Path folder, List<String> suites, long minutes) throws IOException {
    this.folder = folder;
    this.suites = suites;
    this.minutes = minutes;
    this.classPath = System.getProperty("java.class.path").replace(jarOfTests(), unpacked());
  }

  /** A folder with what is in the jar of tests. */
  private String unpacked() throws IOException {
    Path unpacked = folder.resolve("tests");
    try (JarFile jar = new JarFile(jarOfTests())) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        Path file = unpacked.resolve(entry.getName()).normalize();
        if (entry.isDirectory() || !file.startsWith(unpacked)) {
          continue;
        }
        Files.createDirectories(file.getParent());
        try (InputStream content = jar.getInputStream(entry)) {
          Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
    return unpacked.toString();
  }

  /** What suites that start executors ask for: they get their classes by the class path alone. */
  private Path sparkHome() throws IOException {
    Path home = folder.resolve("spark-home");
    Files.createDirectories(home.resolve("jars"));
    Files.writeString(home.resolve("RELEASE"), "");
    return home;
  }

  /**
   * Runs suites and exits with 1 where a test that passes without the plugin does not with it.
   *
   * @param args a folder for reports, how many minutes a run may take, and the suites' names, with
   *     white space between them, or "all" for each that MLlib has
   * @throws IOException if a report or the jar of tests cannot be read
   * @throws InterruptedException if the thread is interrupted
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(Path.of(args[0])).toAbsolutePath();
    String named = args[2].trim();
    List<String> suites = named.equals("all") ? every() : List.of(named.split("\\s+", -1));
    System.exit(new MllibSuites(folder, suites, Long.parseLong(args[1])).compare() ? 0 : 1);
  }

  private boolean compare() throws IOException, InterruptedException {
    Map<String, String> plain = run("plain", List.of());
    Map<String, String> plugin =
        run("plugin", List.of("-Dspark.plugins=" + CollectivesPlugin.class.getName()));
    System.out.printf("%-80s %6s %7s %8s%n", "suite", "tests", "without", "with");
    for (String suite : suites) {
      System.out.printf(
          "%-80s %6d %7d %8d%n",
          suite, tests(plain, suite), passed(plain, suite), passed(plugin, suite));
    }
    System.out.println(taken());
    TreeSet<String> worse = new TreeSet<>();
    plain.forEach(
        (test, result) -> {
          if (!result.equals(plugin.get(test))) {
            worse.add(test + ": " + result + " without, " + plugin.get(test) + " with the plugin");
          }
        });
    worse.forEach(System.out::println);
    List<String> none = suites.stream().filter(suite -> tests(plain, suite) == 0).toList();
    none.forEach(suite -> System.out.println(suite + " ran no test: see plain.log in " + folder));
    boolean all = none.stream().allMatch(suite -> plain.containsKey(suite + WHOLE));
    return worse.isEmpty() && all && none.size() < suites.size();
  }

  /** What was taken over, in all applications of the run with the plugin. */
  private String taken() throws IOException {
    long[] sums = new long[5];
    Matcher matcher = TAKEN.matcher(Files.readString(folder.resolve("plugin.log")));
    while (matcher.find()) {
      for (int i = 0; i < sums.length; i++) {
        sums[i] += Long.parseLong(matcher.group(i + 1));
      }
    }
    return String.format(
        "taken over: %d trainings in one stage, %d sums of arrays, %d broadcasts, %d aggregations"
            + " of objects; left to Spark: %d",
        sums[0], sums[1], sums[2], sums[3], sums[4]);
  }

  private static long tests(Map<String, String> results, String suite) {
    return results.keySet().stream()
        .filter(test -> test.startsWith(suite + ":") && !test.endsWith(WHOLE))
        .count();
  }

  private static long passed(Map<String, String> results, String suite) {
    return results.entrySet().stream()
        .filter(each -> each.getKey().startsWith(suite + ":") && each.getValue().equals("passed"))
        .count();
  }

  /**
   * The result of each test of a run in a JVM of its own. A suite that cannot begin, such as one
   * that reads files of Spark's sources, ends ScalaTest's run; those after it get another JVM.
   */
  private Map<String, String> run(String name, List<String> options)
      throws IOException, InterruptedException {
    Path reports = Files.createDirectories(folder.resolve(name));
    try (Stream<Path> earlier = Files.list(reports)) {
      for (Path report : earlier.toList()) {
        Files.delete(report);
      }
    }
    Path log = folder.resolve(name + ".log");
    Files.deleteIfExists(log);
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
    Map<String, String> results = new TreeMap<>();
    List<String> left = suites;
    while (!left.isEmpty()) {
      List<String> command = command(options);
      command.addAll(List.of("-u", reports.toString()));
      left.forEach(suite -> command.addAll(List.of("-s", suite)));
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      builder.environment().put("SPARK_DIST_CLASSPATH", classPath);
      builder.environment().put("SPARK_SCALA_VERSION", "2.13");
      Process process = builder.start();
      try {
        if (!process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          throw new IllegalStateException(name + " has not ended; see its log in " + folder);
        }
      } finally {
        process.destroyForcibly();
      }
      List<String> missing =
          left.stream()
              .filter(suite -> !Files.exists(reports.resolve("TEST-" + suite + ".xml")))
              .toList();
      if (!missing.isEmpty()) {
        results.put(missing.get(0) + WHOLE, "aborted");
      }
      left = missing.subList(Math.min(1, missing.size()), missing.size());
    }
    results.putAll(results(reports));
    return results;
  }

  private List<String> command(List<String> options) throws IOException {
    Path logging = folder.resolve("log4j2.properties");
    Files.writeString(logging, LOGGING);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(JavaModuleOptions.defaultModuleOptions().trim().split("\\s+", -1)));
    command.addAll(
        List.of(
            "-Xmx2g",
            "-Xss4m",
            "-Dlog4j2.configurationFile=" + logging,
            "-Dspark.testing=true",
            "-Dspark.test.home=" + sparkHome(),
            "-Dspark.ui.enabled=false",
            "-Dspark.ui.showConsoleProgress=false",
            "-Dspark.driver.host=127.0.0.1",
            "-Dspark.driver.bindAddress=127.0.0.1",
            "-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("tmp"))));
    command.addAll(options);
    command.addAll(List.of("-cp", classPath));
    command.addAll(
        List.of("org.scalatest.tools.Runner", "-oW", "-R", folder.resolve("tests").toString()));
    return command;
  }

  private static String jarOfTests() {
    return Stream.of(System.getProperty("java.class.path").split(":", -1))
        .filter(entry -> entry.matches(".*/spark-mllib_2\\.13-[^/]*-tests\\.jar"))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("MLlib's tests are not on the class path"));
  }

  /** Each suite of ScalaTest in the jar that can be run; those of JUnit are of MLlib's Java API. */
  private static List<String> every() throws IOException {
    try (JarFile jar = new JarFile(jarOfTests())) {
      return jar.stream()
          .map(JarEntry::getName)
          .filter(name -> name.matches("org/apache/spark/(ml|mllib)/[^$]*Suite\\.class"))
          .map(name -> name.replace('/', '.').substring(0, name.length() - ".class".length()))
          .filter(MllibSuites::canRun)
          .sorted()
          .toList();
    }
  }

  /** Whether it is a suite of ScalaTest, which only the profile has on its class path. */
  private static boolean canRun(String name) {
    try {
      ClassLoader loader = MllibSuites.class.getClassLoader();
      Class<?> type = Class.forName(name, false, loader);
      return Class.forName("org.scalatest.Suite", false, loader).isAssignableFrom(type)
          && !Modifier.isAbstract(type.getModifiers());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    } catch (NoClassDefFoundError e) {
      System.out.println(name + " is left out: it needs " + e.getMessage());
      return false;
    }
  }

  private static Map<String, String> results(Path reports) throws IOException {
    Map<String, String> results = new TreeMap<>();
    try (Stream<Path> files = Files.list(reports)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".xml")).toList()) {
        NodeList tests =
            DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(file.toFile())
                .getElementsByTagName("testcase");
        for (int i = 0; i < tests.getLength(); i++) {
          Element test = (Element) tests.item(i);
          String name = test.getAttribute("classname") + ": " + test.getAttribute("name");
          results.put(name, result(test));
        }
      }
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(e);
    }
    return results;
  }

  private static String result(Element test) {
    boolean failed =
        test.getElementsByTagName("failure").getLength()
                + test.getElementsByTagName("error").getLength()
            > 0;
    boolean skipped = test.getElementsByTagName("skipped").getLength() > 0;
    return failed ? "failed" : skipped ? "ignored" : "passed";
  }
}
