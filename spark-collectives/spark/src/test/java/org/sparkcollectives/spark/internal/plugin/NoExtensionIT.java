package org.sparkcollectives.spark.internal.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkcollectives.testing.LogLines;

/** What the plugin says where there is no extension to switch on. */
@Timeout(60)
class NoExtensionIT {
  private static final String CAUSE =
      "no jar with an extension, such as spark-collectives-ml_2.13, is on the driver's class path";
  private static final String REMEDY =
      "Name it beside spark-collectives_2.13 in --jars or spark.jars";

  private static String said(boolean ui, boolean tab) {
    SparkConf conf =
        new SparkConf(false)
            .setMaster("local[1]")
            .setAppName("alone")
            .set("spark.ui.enabled", Boolean.toString(ui))
            .set("spark.ui.port", "0")
            .set("spark.collectives.ui.enabled", Boolean.toString(tab))
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1");
    try (JavaSparkContext context = new JavaSparkContext(conf);
        LogLines log = new LogLines(DriverExtensions.class.getName())) {
      new DriverExtensions().start(context.sc(), List.of());
      assertEquals(1, log.lines().size(), log.lines()::toString);
      return log.lines().get(0);
    }
  }

  @ParameterizedTest
  @CsvSource({"false, true", "true, false"})
  void aTabIsNamedOnlyWhereThereIsOne(boolean ui, boolean tab) {
    assertEquals(
        "WARN spark-collectives has switched nothing on, and MLlib stays as it is: "
            + CAUSE
            + ". "
            + REMEDY
            + ".",
        said(ui, tab));
  }

  @Test
  void theTabMayBeAllThatIsWanted() {
    assertEquals(
        "WARN spark-collectives has a tab in Spark's UI, and MLlib stays as it is: "
            + CAUSE
            + ". "
            + REMEDY
            + ", or do nothing where the tab is all that is wanted.",
        said(true, true));
  }
}
