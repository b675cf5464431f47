package org.sparkcollectives.benchmarks.spark;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.benchmarks.cluster.Traffic;
import org.sparkcollectives.benchmarks.report.Measurement;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Many operations inside one job, on the array that a rank holds.
 *
 * @param name its name in tables and files
 * @param algorithm the algorithm's slug, or null for the library's choice
 * @param bytesPerRun the bytes of all vectors of a run, where the number of operations allows
 */
record ManyCalls(String name, @Nullable String algorithm, long bytesPerRun) implements Contender {
  private static final int FEWEST_OPERATIONS = 2;
  private static final int MOST_OPERATIONS = 200;
  private static final int WARM_UP_SHARE = 4;

  /** What a rank reports: its time for all operations, and the first result. */
  private record RankResult(long nanos, String fingerprint, double sum) implements Serializable {}

  @Override
  public String quantity() {
    return Measurement.PER_OPERATION;
  }

  /** One rank per partition. */
  @Override
  public boolean takes(Vectors vectors, int executors) {
    return vectors.partitions() <= executors;
  }

  @Override
  public Run run(Vectors vectors) {
    int operations = operations(vectors.bytes());
    String slug = algorithm;
    Traffic before = Traffic.now();
    List<RankResult> ranks =
        JavaCollectives.of(vectors.rdd())
            .collectively(
                (communicator, own) ->
                    List.of(rank(communicator, own, operations, slug)).iterator())
            .collect();
    Traffic job = Traffic.now().since(before);
    int all = 1 + operations / WARM_UP_SHARE + operations;
    long slowest = ranks.stream().mapToLong(RankResult::nanos).max().orElseThrow();
    Set<String> fingerprints =
        ranks.stream().map(RankResult::fingerprint).collect(Collectors.toSet());
    return new Run(
        Map.of(Measurement.PER_OPERATION, slowest / operations),
        fingerprints,
        ranks.get(0).sum(),
        new Traffic(job.sent() / all, job.received() / all));
  }

  /**
   * How many operations a run times. Each multiplies the values by the number of ranks, so there
   * are few enough to stay far from infinity.
   */
  private int operations(long bytes) {
    return (int) Math.max(FEWEST_OPERATIONS, Math.min(MOST_OPERATIONS, bytesPerRun / bytes));
  }

  private static RankResult rank(
      Communicator communicator, Iterator<double[]> own, int operations, @Nullable String slug) {
    double[] source = own.next();
    double[] vector = source.clone();
    communicator.by(slug).allReduce(vector, ReduceOp.SUM);
    double sum = vector[vector.length - 1];
    String first = Fingerprint.of(vector);
    for (int i = 0; i < operations / WARM_UP_SHARE; i++) {
      communicator.by(slug).allReduce(vector, ReduceOp.MAX);
    }
    System.arraycopy(source, 0, vector, 0, source.length);
    communicator.barrier();
    long start = System.nanoTime();
    for (int i = 0; i < operations; i++) {
      communicator.by(slug).allReduce(vector, ReduceOp.SUM);
    }
    long nanos = System.nanoTime() - start;
    return new RankResult(nanos, first + "/" + Fingerprint.of(vector), sum);
  }
}
