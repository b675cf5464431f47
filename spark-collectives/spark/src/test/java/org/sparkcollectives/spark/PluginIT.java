package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Gauge;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.metrics.sink.JmxSink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.spark.internal.bridge.Scala;
import org.sparkcollectives.spark.internal.plugin.DriverExtension;
import org.sparkcollectives.spark.internal.plugin.DriverExtensions;
import org.sparkcollectives.testing.LogLines;
import org.sparkcollectives.testing.NeverSwitchedOn;

/** What the plugin finds, switches on, and says. */
@Timeout(120)
class PluginIT {
  private static final List<String> CALLS = new ArrayList<>();

  /** An extension that is switched on. */
  public static final class Works implements DriverExtension {
    @Override
    public String start(SparkContext context) {
      CALLS.add("start in " + context.appName());
      return "trumpets by brass";
    }

    @Override
    public Map<String, LongSupplier> metrics() {
      return Map.of("trumpets", () -> 9);
    }

    @Override
    public String stop() {
      CALLS.add("stop");
      return "9 trumpets";
    }
  }

  /** An extension that has a reason to stay off. */
  public static final class Refuses extends NeverSwitchedOn {
    @Override
    public String start(SparkContext context) {
      throw InvalidInputException.of("no drums", "there are no sticks", "bring sticks");
    }
  }

  /** An extension of another version, say. */
  public static final class Breaks extends NeverSwitchedOn {
    @Override
    public String start(SparkContext context) {
      throw new NoSuchMethodError("beat");
    }
  }

  @TempDir private Path jar;
  private ClassLoader before;
  private LogLines log;
  private List<String> metrics;
  private String number;
  private Set<String> published;

  @BeforeEach
  void listen() {
    CALLS.clear();
    before = Thread.currentThread().getContextClassLoader();
    log = new LogLines(DriverExtensions.class.getName());
  }

  @AfterEach
  void restore() {
    log.close();
  }

  private void application(String... extensions) throws IOException {
    Path services = Files.createDirectories(jar.resolve("META-INF").resolve("services"));
    Files.write(services.resolve(DriverExtension.class.getName()), List.of(extensions));
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, before)) {
      Thread.currentThread().setContextClassLoader(loader); // as spark-submit has it for --jars
      SparkConf conf =
          new SparkConf(false)
              .setMaster("local[2]")
              .setAppName("band")
              .set("spark.ui.enabled", "false")
              .set("spark.driver.host", "127.0.0.1")
              .set("spark.driver.bindAddress", "127.0.0.1")
              .set("spark.metrics.conf.driver.sink.jmx.class", JmxSink.class.getName())
              .set("spark.plugins", CollectivesPlugin.class.getName());
      try (JavaSparkContext context = new JavaSparkContext(conf)) {
        assertEquals(3, context.parallelize(List.of(1, 2, 3), 2).count());
        number = context.sc().applicationId();
        published =
            ManagementFactory.getPlatformMBeanServer().queryNames(null, null).stream()
                .map(name -> name.getKeyProperty("name"))
                .filter(name -> name != null && name.endsWith("spark-collectives.calls.succeeded"))
                .collect(Collectors.toSet());
        metrics =
            Scala.asJava(
                    SparkEnv.get()
                        .metricsSystem()
                        .getSourcesByName("plugin." + CollectivesPlugin.class.getName()))
                .stream()
                .flatMap(source -> source.metricRegistry().getMetrics().entrySet().stream())
                .map(gauge -> gauge.getKey() + " " + ((Gauge<?>) gauge.getValue()).getValue())
                .toList();
      }
    }
  }

  @Test
  void anExtensionIsSwitchedOnAndOffWithTheApplication() throws IOException {
    application(Works.class.getName());
    assertEquals(List.of("start in band", "stop"), CALLS);
    assertEquals(List.of("trumpets 9"), metrics);
    assertEquals(
        List.of(
            "INFO spark-collectives switched on: trumpets by brass",
            "INFO spark-collectives: 9 trumpets"),
        log.lines());
  }

  @Test
  void theMetricsOfCallsAreNamedAfterTheApplicationBeforeTheFirstCall() throws IOException {
    application(Works.class.getName());
    assertEquals(Set.of(number + ".driver.spark-collectives.calls.succeeded"), published);
  }

  @Test
  void withoutExtensionsOneWarningSaysWhichJarIsMissing() throws IOException {
    application();
    assertEquals(1, log.lines().size(), log.lines()::toString);
    assertTrue(log.lines().get(0).startsWith("WARN"), log.lines()::toString);
    assertTrue(log.lines().get(0).contains("spark-collectives-ml_2.13"), log.lines()::toString);
  }

  @Test
  void anExtensionThatFailsIsSaidAndLeavesTheOthersOn() throws IOException {
    application(
        Refuses.class.getName(),
        Breaks.class.getName(),
        "org.sparkcollectives.Missing",
        Works.class.getName());
    assertEquals(List.of("start in band", "stop"), CALLS);
    String lines = String.join("\n", log.lines());
    assertTrue(lines.contains("WARN no drums: there are no sticks. Bring sticks."), lines);
    assertTrue(lines.contains("WARN spark-collectives goes on without " + Breaks.class.getName()));
    assertTrue(
        lines.contains("Check that all jars of spark-collectives are of one version"), lines);
    assertTrue(lines.contains("org.sparkcollectives.Missing"), lines);
    assertTrue(lines.contains("INFO spark-collectives switched on: trumpets by brass"), lines);
  }
}
