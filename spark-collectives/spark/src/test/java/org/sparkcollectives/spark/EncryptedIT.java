package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.internal.transport.endpoint.Certificates;
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

  @Test
  void executorsShowTheirCertificatesWhereSparksConnectionsAreTls(@TempDir Path folder)
      throws Exception {
    Path store = folder.resolve("executors.p12");
    Certificates.write(store, "executors");
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.ssl.rpc.enabled", "true");
    for (String kind : List.of("key", "trust")) {
      settings.put("spark.ssl.rpc." + kind + "Store", store.toString());
      settings.put("spark.ssl.rpc." + kind + "StorePassword", Certificates.PASSWORD);
      settings.put("spark.ssl.rpc." + kind + "StoreType", "PKCS12");
    }
    try (StandaloneCluster cluster =
        StandaloneCluster.start(Path.of("target", "tls"), 2, 1024, settings)) {
      SparkConf conf =
          cluster.conf("tls", 2, 1, "512m").set("spark.collectives.sharedMemory", "false");
      settings.forEach(conf::set);
      try (JavaSparkContext context = new JavaSparkContext(conf)) {
        double[] ones = new double[300_000];
        Arrays.fill(ones, 1);
        JavaRDD<double[]> vectors = context.parallelize(List.of(1, 2), 2).map(k -> ones.clone());
        double[] twos = new double[ones.length];
        Arrays.fill(twos, 2);
        assertArrayEquals(twos, JavaCollectives.of(vectors).twoTreeAllReduce(ReduceOp.SUM).value());
        Files.delete(store); // is read once by each process
        assertArrayEquals(twos, JavaCollectives.of(vectors).twoTreeAllReduce(ReduceOp.SUM).value());
        List<String> seen =
            context
                .parallelize(IntStream.range(0, 32).boxed().toList(), 32)
                .map(i -> Connections.ofThisExecutor())
                .collect();
        assertEquals(
            List.of("0 TLS shared 0 used true", "1 TLS shared 0 used true"),
            List.copyOf(new TreeSet<>(seen)));
      }
    }
  }
}
