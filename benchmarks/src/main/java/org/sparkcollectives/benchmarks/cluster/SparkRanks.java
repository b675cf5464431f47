package org.sparkcollectives.benchmarks.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.benchmarks.report.Folders;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.spark.internal.conf.CostProfile;
import org.sparkcollectives.testing.StandaloneCluster;

/**
 * Ranks within {@code collectively}, in an application with one executor per host on a standalone
 * cluster. Every order is a job with a communicator of its own.
 */
final class SparkRanks implements Ranks, AutoCloseable {
  /** What executors are told besides Spark's defaults: they share the machine's processors. */
  private static final String EXECUTOR_OPTIONS = "-XX:ActiveProcessorCount=1";

  private static final int MEMORY_MIB = 1024;

  /** What the ranks are, for people. */
  static final String DESCRIPTION =
      "ranks inside collectively, on a standalone cluster: an executor of one core and "
          + MEMORY_MIB
          + " MiB per host ("
          + EXECUTOR_OPTIONS
          + "), master and driver on a host of their own; every round is a job, in which an"
          + " operation that does not count comes first";

  private final StandaloneCluster cluster;
  private final JavaSparkContext context;
  private final JavaRDD<Integer> ranks;

  private SparkRanks(StandaloneCluster cluster, JavaSparkContext context, int size) {
    this.cluster = cluster;
    this.context = context;
    List<Integer> numbers = IntStream.range(0, size).boxed().toList();
    this.ranks = context.parallelize(numbers, size);
  }

  /**
   * Starts cluster and application.
   *
   * @param network the hosts
   * @param model what communication costs
   * @throws IOException if a file cannot be written
   */
  static SparkRanks start(Network network, CostModel model, int connections) throws IOException {
    int size = network.hosts();
    StandaloneCluster cluster =
        StandaloneCluster.start(Folders.logs(), network.driver(), network.workers(), 1, MEMORY_MIB);
    boolean started = false;
    try {
      Path profile = cluster.logs().resolve("profile.json");
      Files.writeString(profile, CostProfile.write(model, connections), StandardCharsets.UTF_8);
      SparkConf conf =
          cluster
              .conf("cluster", size, 1, MEMORY_MIB + "m")
              .set("spark.executor.extraJavaOptions", EXECUTOR_OPTIONS)
              .set("spark.collectives.cost.profile", profile.toUri().toString())
              .set("spark.collectives.sharedMemory", Boolean.toString(network.sharesMemory()));
      SparkRanks ranks = new SparkRanks(cluster, new JavaSparkContext(conf), size);
      started = true;
      return ranks;
    } finally {
      if (!started) {
        cluster.close();
      }
    }
  }

  @Override
  public List<HostAnswer> run(Order order) {
    return JavaCollectives.of(ranks)
        .collectively((communicator, none) -> List.of(rank(communicator, order)).iterator())
        .collect();
  }

  private static HostAnswer rank(Communicator communicator, Order order) {
    int rank = communicator.rank();
    double[] source = Ranks.values(rank, Operations.ownLength(order, rank, communicator.size()));
    return Ranks.time(communicator, order, source);
  }

  @Override
  public void close() {
    try {
      context.close();
    } finally {
      cluster.close();
    }
  }
}
