package org.sparkcollectives.spark.internal.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.spark.RddCollectives;
import org.sparkcollectives.vector.ReduceOp;

/** MLlib's vectors of both packages, dense and sparse, as elements of RDDs. */
@Timeout(120)
class VectorsIT {

  @Test
  void vectorsOfBothPackages() {
    SparkConf conf =
        new SparkConf(false)
            .setMaster("local[3]")
            .setAppName("vectors")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      List<Vector> elements =
          List.of(
              Vectors.dense(1, new double[] {2, 3}),
              Vectors.sparse(3, new int[] {1}, new double[] {10}),
              Vectors.dense(100, new double[] {200, 300}),
              Vectors.sparse(3, new int[] {2}, new double[] {7}));
      for (int partitions : new int[] {1, 3, 4}) {
        JavaRDD<Vector> rdd = context.parallelize(elements, partitions);
        RddCollectives<Vector> collectives = JavaCollectives.of(rdd);
        Vector sum = Vectors.dense(101, new double[] {212, 310});
        assertEquals(sum, collectives.twoTreeAllReduce(ReduceOp.SUM).value());
        assertEquals(sum, collectives.twoTreeReduce(ReduceOp.SUM));
        List<Vector> prefixes = collectives.twoTreeScan(ReduceOp.SUM).collect();
        assertEquals(sum, prefixes.get(3));
        assertEquals(Vectors.dense(1, new double[] {12, 3}), prefixes.get(1));
        assertEquals(elements, rdd.collect());
        assertEquals(
            org.apache.spark.mllib.linalg.Vectors.fromML(sum),
            JavaCollectives.of(rdd.map(org.apache.spark.mllib.linalg.Vectors::fromML))
                .twoTreeReduce(ReduceOp.SUM));
      }
    }
  }
}
