package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.vector.ReduceOp;

/** An application whose configuration has a script for racks. */
@Timeout(180)
class RacksIT {
  private static final int LENGTH = 100_000;

  @TempDir private Path folder;

  @Test
  void theDriverAsksTheScriptOnce() throws IOException {
    Path script = folder.resolve("racks.sh");
    Path asked = folder.resolve("asked");
    Files.writeString(script, "#!/bin/sh\necho \"$*\" >> '" + asked + "'\necho /rack1\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    SparkConf conf =
        SharedCluster.get()
            .conf("racks", 2, 1, "512m")
            .set("spark.hadoop.net.topology.script.file.name", script.toString());
    double[] two = new double[LENGTH];
    Arrays.fill(two, 2);
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      JavaRDD<double[]> ones =
          context
              .parallelize(Collections.nCopies(2, LENGTH), 2)
              .map(
                  length -> {
                    double[] one = new double[length];
                    Arrays.fill(one, 1);
                    return one;
                  });
      var calls = JavaCollectives.of(ones);
      assertArrayEquals(two, calls.reduce(ReduceOp.SUM));
      assertNotNull(calls.explain(Collective.ALLREDUCE, ReduceOp.SUM).algorithm());
      assertArrayEquals(two, calls.reduce(ReduceOp.SUM));
    }
    assertEquals(List.of("127.0.0.1"), Files.readAllLines(asked));
  }
}
