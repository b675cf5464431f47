package org.sparkcollectives.spark.internal.calibrate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What the executors of a calibration load classes from. */
final class ClusterCalibrationTest {

  @Test
  void theLibrarysOwnJarIsBesideThoseThatAreGiven() {
    assertEquals("/lib/own.jar", ClusterCalibration.jars("", "/lib/own.jar"));
    assertEquals("x.jar,/lib/own.jar", ClusterCalibration.jars("x.jar", "/lib/own.jar"));
    assertEquals(
        "x.jar,hdfs:/y/not-own.jar,/lib/own.jar",
        ClusterCalibration.jars("x.jar,hdfs:/y/not-own.jar", "/lib/own.jar"));
  }

  @Test
  void theLibrarysOwnJarIsNotThereTwice() {
    for (String given : new String[] {"/lib/own.jar,x.jar", "x.jar,file:///other/own.jar"}) {
      assertEquals(given, ClusterCalibration.jars(given, "/lib/own.jar"));
    }
  }
}
