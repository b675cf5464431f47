package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.spark.internal.rendezvous.Connections;
import org.sparkcollectives.testing.StandaloneCluster;
import org.sparkcollectives.vector.ReduceOp;

/** An application that authenticates and encrypts what Spark sends, and what it writes. */
@Timeout(300)
class EncryptedIT {
  private static final Map<String, String> AUTHENTICATION =
      Map.of("spark.authenticate", "true", "spark.authenticate.secret", "of this test alone");

  @Test
  void everythingBetweenExecutorsIsSealedAndNothingLiesInSharedMemory() {
    try (StandaloneCluster cluster =
        StandaloneCluster.start(Path.of("target", "encrypted"), 4, 2048, AUTHENTICATION)) {
      SparkConf conf =
          cluster
              .conf("encrypted", 2, 2, "512m")
              .set("spark.network.crypto.enabled", "true")
              .set("spark.io.encryption.enabled", "true")
              .set("spark.collectives.objects.filter", "java.base/*;scala.**;!*");
      AUTHENTICATION.forEach(conf::set);
      try (JavaSparkContext context = new JavaSparkContext(conf)) {
        new EveryCall(context).check(5, 4, 3);
        JavaRDD<double[]> large =
            context.parallelize(List.of(1, 2, 3, 4), 4).map(k -> new double[] {k, 1e6 * k});
        JavaRDD<double[]> vectors =
            large.map(pair -> IntStream.range(0, 300_000).mapToDouble(i -> pair[0] * i).toArray());
        double[] expected = IntStream.range(0, 300_000).mapToDouble(i -> 10.0 * i).toArray();
        assertArrayEquals(
            expected, JavaCollectives.of(vectors).twoTreeAllReduce(ReduceOp.SUM).value());
        List<String> seen =
            context
                .parallelize(IntStream.range(0, 64).boxed().toList(), 64)
                .map(i -> Connections.ofThisExecutor())
                .collect();
        assertEquals(
            List.of("0 RECORDS shared 0 used true", "1 RECORDS shared 0 used true"),
            List.copyOf(new TreeSet<>(seen)));
      }
    }
  }
}
