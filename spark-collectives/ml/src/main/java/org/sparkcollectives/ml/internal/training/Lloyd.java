package org.sparkcollectives.ml.internal.training;

import static java.util.Objects.requireNonNull;

import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.ml.clustering.KMeansAggregator;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.ml.linalg.DenseMatrix;
import org.apache.spark.rdd.RDD;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.spark.CollectiveFunction;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.spark.internal.events.TrainingEvent;
import org.sparkcollectives.spark.internal.ui.Publisher;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Lloyd's iterations of k-means in one stage: each rank assigns its rows to centres with MLlib's
 * own aggregator, one allreduce sums up the rows, weights and costs of all clusters, and every rank
 * moves the centres alike.
 */
public final class Lloyd implements CollectiveFunction<InstanceBlock, Lloyd.Clusters> {
  @Serial private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(Lloyd.class);

  private final double[] start;
  private final int clusters;
  private final String measure;
  private final int maxIterations;
  private final double tolerance;

  /** The centres that were found. */
  public static final class Clusters implements Serializable {
    @Serial private static final long serialVersionUID = 1L;
    private final double[] centres;
    private final double[] costs;

    Clusters(double[] centres, double[] costs) {
      this.centres = centres;
      this.costs = costs;
    }

    /**
     * The centres.
     *
     * @return their coordinates, centre after centre
     */
    public double[] centres() {
      return centres;
    }

    /**
     * The rows' distances.
     *
     * @return the weighted sum, of those to the last centres but one
     */
    public double cost() {
      return costs.length == 0 ? 0 : costs[costs.length - 1];
    }

    /**
     * The iterations.
     *
     * @return how many there were
     */
    public int iterations() {
      return costs.length;
    }
  }

  /**
   * Iterations from given centres.
   *
   * @param start the centres' coordinates, centre after centre
   * @param clusters how many centres
   * @param measure {@code euclidean} or {@code cosine}, as MLlib names them
   * @param maxIterations the most iterations
   * @param tolerance the distance that no centre moves farther when it ends
   */
  public Lloyd(double[] start, int clusters, String measure, int maxIterations, double tolerance) {
    this.start = start;
    this.clusters = clusters;
    this.measure = measure;
    this.maxIterations = maxIterations;
    this.tolerance = tolerance;
  }

  /**
   * Runs all iterations.
   *
   * @param blocks the rows, each with its squared norm as label
   * @return the centres
   */
  public Clusters over(RDD<InstanceBlock> blocks) {
    long began = System.nanoTime();
    Clusters found = JavaCollectives.of(blocks.toJavaRDD()).collectively(this).collect().get(0);
    long nanos = System.nanoTime() - began;
    LOG.info(
        "k-means: {} iterations in {} ms, cost {}",
        found.iterations(),
        nanos / 1_000_000,
        found.cost());
    TrainingEvent event = new TrainingEvent();
    event.name = "k-means";
    event.iterations = found.iterations();
    event.reason = found.iterations() < maxIterations ? "converged" : "";
    event.millis = nanos / 1e6;
    event.objective(found.costs);
    Publisher.of(blocks.context()).publish(event);
    return found;
  }

  @Override
  public Iterator<Clusters> call(Communicator communicator, Iterator<InstanceBlock> elements) {
    List<InstanceBlock> blocks = new ArrayList<>();
    elements.forEachRemaining(blocks::add);
    double[] centres = start.clone();
    int features = centres.length / clusters;
    double[] message = new double[centres.length + clusters + 1];
    boolean converged = false;
    List<Double> costs = new ArrayList<>();
    while (costs.size() < maxIterations && !converged) {
      assign(blocks, centres, features, message);
      communicator.allReduce(message, ReduceOp.SUM);
      converged = move(centres, features, message);
      costs.add(message[message.length - 1]);
    }
    return communicator.rank() == 0
        ? List.of(new Clusters(centres, costs.stream().mapToDouble(c -> c).toArray())).iterator()
        : Collections.emptyIterator();
  }

  /** What this rank's rows add: sums of each coordinate's clusters, weights of clusters, cost. */
  private void assign(
      List<InstanceBlock> blocks, double[] centres, int features, double[] message) {
    KMeansAggregator sums =
        new KMeansAggregator(
            new DenseMatrix(clusters, features, centres, true), clusters, features, measure);
    TaskContext task = requireNonNull(TaskContext.get());
    for (InstanceBlock block : blocks) {
      task.killTaskIfInterrupted();
      sums.add(block);
    }
    System.arraycopy(sums.sumMat().values(), 0, message, 0, centres.length);
    System.arraycopy(sums.weightSumVec().values(), 0, message, centres.length, clusters);
    message[message.length - 1] = sums.costSum();
  }

  /** Moves each centre to the mean of its rows; whether none went far. */
  private boolean move(double[] centres, int features, double[] message) {
    boolean near = true;
    double[] moved = new double[features];
    for (int i = 0; i < clusters; i++) {
      double weight = message[centres.length + i];
      if (weight <= 0) {
        continue; // nobody's centre stays
      }
      for (int j = 0; j < features; j++) {
        moved[j] = message[i + j * clusters] * (1 / weight);
      }
      if (cosine()) {
        double norm = Math.sqrt(dot(moved, moved));
        for (int j = 0; norm > 0 && j < features; j++) {
          moved[j] = moved[j] * (1 / norm);
        }
      }
      near &= distance(moved, centres, i * features) <= tolerance;
      System.arraycopy(moved, 0, centres, i * features, features);
    }
    return near;
  }

  private boolean cosine() {
    return measure.equals("cosine");
  }

  private double distance(double[] moved, double[] centres, int offset) {
    if (cosine()) {
      double[] old = Arrays.copyOfRange(centres, offset, offset + moved.length);
      return 1 - dot(moved, old) / Math.sqrt(dot(moved, moved)) / Math.sqrt(dot(old, old));
    }
    double sum = 0;
    for (int j = 0; j < moved.length; j++) {
      double difference = moved[j] - centres[offset + j];
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
