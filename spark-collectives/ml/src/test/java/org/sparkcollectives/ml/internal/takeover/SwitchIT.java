package org.sparkcollectives.ml.internal.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.launcher.JavaModuleOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.ml.internal.agent.Agent;
import org.sparkcollectives.spark.CollectivesPlugin;

/** How drivers come to be woven or not, each in a JVM of its own. */
@Timeout(240)
class SwitchIT {
  @TempDir private Path folder;

  /** Aggregates something large, and tells who has done so. */
  public static final class Driver {
    private Driver() {}

    /**
     * Runs the application.
     *
     * @param args settings of Spark, as KEY=VALUE
     */
    public static void main(String[] args) {
      SparkConf conf =
          new SparkConf(false)
              .setMaster("local[2]")
              .setAppName("driver")
              .set("spark.ui.enabled", "false")
              .set("spark.driver.host", "127.0.0.1")
              .set("spark.driver.bindAddress", "127.0.0.1");
      for (String setting : args) {
        conf.set(setting.substring(0, setting.indexOf('=')), setting.replaceFirst("[^=]*=", ""));
      }
      try (JavaSparkContext context = new JavaSparkContext(conf)) {
        double[] sums =
            context
                .parallelize(IntStream.range(0, 10).boxed().toList(), 4)
                .treeAggregate(
                    new double[50_000],
                    (sum, i) -> {
                      sum[i] += i;
                      return sum;
                    },
                    (a, b) -> {
                      for (int i = 0; i < a.length; i++) {
                        a[i] += b[i];
                      }
                      return a;
                    });
        System.out.println("sums to " + IntStream.range(0, 10).mapToDouble(i -> sums[i]).sum());
      }
    }
  }

  private String driver(List<String> options, String... settings)
      throws IOException, InterruptedException {
    Path logging = folder.resolve("log4j2.properties");
    Files.writeString(
        logging,
        """
        rootLogger.level = info
        rootLogger.appenderRef.console.ref = console
        appender.console.type = Console
        appender.console.name = console
        appender.console.layout.type = PatternLayout
        appender.console.layout.pattern = %p %c{1}: %m%n
        """);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(JavaModuleOptions.defaultModuleOptions().trim().split("\\s+", -1)));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx1g"));
    command.add("-Dlog4j2.configurationFile=" + logging);
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Driver.class.getName()));
    command.addAll(List.of(settings));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = process.waitFor(200, TimeUnit.SECONDS);
      String text = Files.readString(output);
      assertTrue(ended, text);
      assertEquals(0, process.exitValue(), text);
      assertTrue(text.contains("sums to 45.0"), text);
      return text;
    } finally {
      process.destroyForcibly();
    }
  }

  private static final String PLUGIN = "spark.plugins=" + CollectivesPlugin.class.getName();

  /** An agent's jar as the module's is, whose classes are on the class path. */
  private Path agent() throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Premain-Class", Agent.class.getName());
    attributes.putValue("Can-Retransform-Classes", "true");
    Path jar = folder.resolve("agent.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      out.putNextEntry(new JarEntry("empty"));
      out.closeEntry();
    }
    return jar;
  }

  @Test
  void withoutThePluginNothingHappens() throws IOException, InterruptedException {
    String output = driver(List.of("-verbose:class"));
    for (String never : List.of("CollectivesSeam", "TakeOver", "net.bytebuddy")) {
      assertTrue(!output.contains(never), never);
    }
  }

  @Test
  void theSwitchLeavesEverythingToSpark() throws IOException, InterruptedException {
    String output =
        driver(List.of("-verbose:class"), PLUGIN, "spark.collectives.mllib.enabled=false");
    assertTrue(output.contains("spark.collectives.mllib.enabled is false"), output);
    for (String never : List.of("CollectivesSeam", "net.bytebuddy")) {
      assertTrue(!output.contains(never), never);
    }
  }

  @Test
  @Tag("cross-version")
  void theAgentAttachesItself() throws IOException, InterruptedException {
    String output = driver(List.of(), PLUGIN);
    assertTrue(output.contains("INFO DriverExtensions: spark-collectives switched on: "), output);
    assertTrue(output.contains("1 aggregations of objects; 0 left to Spark"), output);
  }

  @Test
  void aJvmThatLetsNoAgentAttachIsSaidToNeedTheOption() throws IOException, InterruptedException {
    List<String> forbidden = List.of("-XX:+DisableAttachMechanism");
    String output = driver(forbidden, PLUGIN);
    assertTrue(output.contains("WARN DriverExtensions: MLlib stays as it is"), output);
    assertTrue(output.contains("-javaagent:PATH/spark-collectives-ml_2.13-VERSION.jar"), output);
    assertEquals(1, output.split("WARN DriverExtensions", -1).length - 1, output);

    String given = driver(List.of(forbidden.get(0), "-javaagent:" + agent()), PLUGIN);
    assertTrue(given.contains("1 aggregations of objects; 0 left to Spark"), given);
  }

  @Test
  void aWrongSettingIsSaidAndNothingIsWoven() throws IOException, InterruptedException {
    String output = driver(List.of(), PLUGIN, "spark.collectives.mllib.enable=true");
    assertTrue(output.contains("unknown setting spark.collectives.mllib.enable"), output);
  }
}
