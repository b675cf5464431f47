package org.sparkcollectives.spark.internal.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.spark.CollectivesPlugin;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.spark.internal.conf.MadeFor;
import org.sparkcollectives.testing.LogLines;
import org.sparkcollectives.testing.NeverSwitchedOn;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Jars that are not for the Spark that runs: the library's own, and one of another line, which a
 * file beside this class says it is for.
 */
@Timeout(120)
class OtherLineIT {

  /** Fails as classes do that were compiled against another Spark. */
  private static final class Breaks extends NeverSwitchedOn {
    @Override
    public String start(SparkContext context) {
      throw new NoSuchMethodError("beat");
    }
  }

  private static SparkConf conf() {
    return new SparkConf(false)
        .setMaster("local[2]")
        .setAppName("other")
        .set("spark.ui.enabled", "false")
        .set("spark.driver.host", "127.0.0.1")
        .set("spark.driver.bindAddress", "127.0.0.1");
  }

  /** An application that says it runs a Spark that there is not. */
  private static JavaSparkContext application(SparkConf conf) {
    return new JavaSparkContext(
        new SparkContext(conf) {
          @Override
          public String version() {
            return "9.9.1";
          }
        });
  }

  private static void call(JavaSparkContext context) {
    assertEquals(3, JavaCollectives.of(context.parallelize(List.of(1, 2), 2)).reduce(ReduceOp.SUM));
  }

  private static void assertOneWarning(LogLines log, String jar) {
    assertEquals(1, log.lines().size(), log.lines()::toString);
    String line = log.lines().get(0);
    assertTrue(line.startsWith("WARN spark-collectives may fail here: this jar (" + jar), line);
    assertTrue(line.contains(", the application runs Spark 9.9.1 (Scala "), line);
    assertTrue(line.endsWith("). Take the jar of that line."), line);
  }

  @Test
  void theFirstCallOfAnApplicationSaysSo() {
    for (int i = 0; i < 2; i++) {
      try (LogLines log = new LogLines(MadeFor.class.getName());
          JavaSparkContext context = application(conf())) {
        call(context);
        call(context);
        assertOneWarning(log, "spark-collectives_");
      }
    }
  }

  @Test
  void thePluginSaysSoAndNoCallAgain() {
    try (LogLines log = new LogLines(MadeFor.class.getName());
        JavaSparkContext context =
            application(conf().set("spark.plugins", CollectivesPlugin.class.getName()))) {
      assertOneWarning(log, "spark-collectives_");
      call(context);
      assertOneWarning(log, "spark-collectives_");
    }
  }

  @Test
  void anExtensionOfAnotherLineThatFails() {
    try (JavaSparkContext context = new JavaSparkContext(conf());
        LogLines compared = new LogLines(MadeFor.class.getName());
        LogLines log = new LogLines(DriverExtensions.class.getName())) {
      new DriverExtensions().start(context.sc(), List.of(new Breaks()));
      String difference =
          "his jar (brass-band) is made for Spark 9.1 and Scala 8.7, the application runs Spark "
              + context.version();
      assertEquals(1, compared.lines().size(), compared.lines()::toString);
      assertTrue(compared.lines().get(0).contains(difference), compared.lines()::toString);
      assertEquals(1, log.lines().size(), log.lines()::toString);
      String failed = log.lines().get(0);
      assertTrue(
          failed.startsWith(
              "WARN spark-collectives goes on without " + Breaks.class.getName() + ": beat. T"),
          failed);
      assertTrue(failed.contains(difference), failed);
      assertTrue(failed.endsWith("): take the jar of that line."), failed);
    }
  }

  @Test
  void whereTheLineIsThatOfTheJarNothingIsSaid() {
    try (LogLines log = new LogLines(MadeFor.class.getName());
        JavaSparkContext context = new JavaSparkContext(conf())) {
      call(context);
      assertEquals(List.of(), log.lines());
    }
  }
}
