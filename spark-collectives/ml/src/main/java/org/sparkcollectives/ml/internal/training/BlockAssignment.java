package org.sparkcollectives.ml.internal.training;

import static java.util.Objects.requireNonNull;

import java.io.Serial;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.ml.clustering.KMeansAggregator;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.ml.linalg.DenseMatrix;
import org.sparkcollectives.Communicator;

/** Blocks of rows, by MLlib's aggregator. */
final class BlockAssignment implements Assignment<InstanceBlock> {
  @Serial private static final long serialVersionUID = 1L;

  private final String measure;
  private final double tolerance;

  BlockAssignment(String measure, double tolerance) {
    this.measure = measure;
    this.tolerance = tolerance;
  }

  @Override
  public String kind() {
    return measure + " by blocks within " + tolerance;
  }

  @Override
  public int count(InstanceBlock element) {
    return element.size();
  }

  @Override
  public double assign(
      Communicator communicator, List<InstanceBlock> elements, Centres centres, double[] message) {
    int clusters = centres.clusters();
    int features = centres.features();
    DenseMatrix matrix = new DenseMatrix(clusters, features, centres.coordinates(), true);
    KMeansAggregator sums = new KMeansAggregator(matrix, clusters, features, measure);
    TaskContext task = requireNonNull(TaskContext.get());
    for (InstanceBlock block : elements) {
      task.killTaskIfInterrupted();
      sums.add(block);
    }
    System.arraycopy(sums.sumMat().values(), 0, message, 0, clusters * features);
    System.arraycopy(sums.weightSumVec().values(), 0, message, clusters * features, clusters);
    return sums.costSum();
  }

  @Override
  public Moved move(int centre, Centres centres, double[] message) {
    int clusters = centres.clusters();
    double[] moved = new double[centres.features()];
    double weight = message[clusters * moved.length + centre];
    for (int j = 0; j < moved.length; j++) {
      moved[j] = message[centre + j * clusters] * (1 / weight);
    }
    if (cosine()) {
      double length = Math.sqrt(dot(moved, moved));
      for (int j = 0; length > 0 && j < moved.length; j++) {
        moved[j] = moved[j] * (1 / length);
      }
    }
    double norm = Math.sqrt(dot(moved, moved));
    return new Moved(moved, norm, distance(moved, centres.centre(centre)) <= tolerance);
  }

  private boolean cosine() {
    return measure.equals("cosine");
  }

  private double distance(double[] moved, double[] old) {
    if (cosine()) {
      return 1 - dot(moved, old) / Math.sqrt(dot(moved, moved)) / Math.sqrt(dot(old, old));
    }
    double sum = 0;
    for (int j = 0; j < moved.length; j++) {
      double difference = moved[j] - old[j];
      sum += difference * difference;
    }
    return Math.sqrt(sum);
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int j = 0; j < a.length; j++) {
      sum += a[j] * b[j];
    }
    return sum;
  }
}
