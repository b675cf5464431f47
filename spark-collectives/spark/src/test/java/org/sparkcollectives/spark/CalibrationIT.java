package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.calibrate.Calibration;
import org.sparkcollectives.schedule.Level;
import org.sparkcollectives.spark.internal.calibrate.ClusterCalibration;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.CostProfile;
import org.sparkcollectives.spark.internal.conf.ProfileFiles;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.vector.ReduceOp;

/** A profile measured on a cluster of processes of this machine, and used there. */
@Timeout(300)
class CalibrationIT {
  @TempDir Path folder;

  @Test
  void aProfileIsMeasuredWrittenAndUsed() throws IOException {
    SparkConf conf =
        SharedCluster.get()
            .conf("calibration", 2, 2, "512m")
            .set("spark.executor.heartbeatInterval", "1s");
    Map<String, Long> steps = Collections.synchronizedMap(new LinkedHashMap<>());
    String path = folder.resolve("profile.json").toUri().toString();
    CostModel measured;
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      measured =
          ClusterCalibration.measure(
              context, 4, "collectives calibrate", step -> steps.put(step, System.nanoTime()));
      InvalidInputException alone =
          assertThrows(
              InvalidInputException.class,
              () -> ClusterCalibration.measure(context, 1, "calibrate", step -> {}));
      assertTrue(alone.getMessage().contains("between two ranks"), alone.getMessage());
      ProfileFiles.write(CostProfile.write(measured, 3), path, context.hadoopConfiguration());
    }
    assertEquals(measured, ProfileFiles.read(path));
    List<String> told = List.copyOf(steps.keySet());
    assertEquals("4 ranks measure", told.get(0));
    assertEquals("combining vectors", told.get(told.size() - 1));
    assertTrue(told.contains("messages at level host: pass 3 of 3"), told.toString());
    assertTrue(told.contains(Calibration.text(Level.HOST, measured.host())), told.toString());
    // Some were told while the ranks still measured, and not all at the end.
    List<Long> when = List.copyOf(steps.values());
    assertTrue(when.get(when.size() - 1) - when.get(1) > 500_000_000L, when.toString());
    assertNotEquals(CostModel.DEFAULT.process(), measured.process());
    assertNotEquals(CostModel.DEFAULT.host(), measured.host());
    assertEquals(CostModel.DEFAULT.network(), measured.network());
    String machine = measured.provenance().machine();
    assertTrue(machine.startsWith("4 ranks; built-in, not measured: network; rank 0 on "), machine);
    assertEquals("collectives calibrate", measured.provenance().command());
    assertTrue(measured.gammaNanosPerByte() > 0);

    SparkConf profiled =
        SharedCluster.get()
            .conf("calibrated", 2, 2, "512m")
            .set("spark.collectives.cost.profile", path)
            .set("spark.collectives.select.allreduce", "bytes<=8: recursive-doubling; two-tree");
    assertEquals(measured, CollectiveConf.of(profiled).policy().model());
    assertEquals(3, CollectiveConf.of(profiled).connections());
    SparkConf otherwise = profiled.clone().set("spark.collectives.connectionsPerPeer", "2");
    assertEquals(2, CollectiveConf.of(otherwise).connections());
    try (JavaSparkContext context = new JavaSparkContext(profiled)) {
      JavaRDD<double[]> rdd =
          context.parallelize(List.of(1.0, 2.0, 3.0, 4.0), 4).map(x -> new double[] {x});
      assertEquals(10, JavaCollectives.of(rdd).allReduce(ReduceOp.SUM).value()[0]);
    }
  }
}
