package org.sparkcollectives.ml.internal.training;

import java.io.IOException;
import java.io.Serial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.mllib.clustering.VectorWithNorm;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.spark.CollectiveFunction;
import org.sparkcollectives.spark.internal.events.TrainingEvent;
import org.sparkcollectives.spark.internal.ui.Publisher;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Lloyd's iterations of k-means in one stage: each rank assigns its rows to the nearest centres,
 * one allreduce sums up the rows, weights and costs of all clusters, and every rank moves the
 * centres alike.
 *
 * @param <T> the rows' class
 */
public final class Lloyd<T> implements CollectiveFunction<T, Centres> {
  @Serial private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(Lloyd.class);

  /** By how much a cost may differ relatively that is the same: ranks may be others. */
  private static final double SAME_VALUE = 1e-8;

  /** What stands behind sums and weights of clusters: the cost, and how many rows there are. */
  private static final int EXTRA = 2;

  private final String training = "k-means " + UUID.randomUUID();
  private final Assignment<T> assignment;
  private final Centres start;
  private final int maxIterations;
  private final @Nullable Checkpoints checkpoints;

  /**
   * A program.
   *
   * @param assignment how rows are assigned, and centres moved
   * @param start the first centres
   * @param maxIterations the most iterations
   * @param checkpoints where states are kept beyond the application, or null
   */
  Lloyd(
      Assignment<T> assignment,
      Centres start,
      int maxIterations,
      @Nullable Checkpoints checkpoints) {
    this.assignment = assignment;
    this.start = start;
    this.maxIterations = maxIterations;
    this.checkpoints = checkpoints;
  }

  /**
   * Runs all iterations over blocks of rows.
   *
   * @param blocks the rows, each with its squared norm as label
   * @param start the first centres
   * @param measure {@code euclidean} or {@code cosine}, as MLlib names them
   * @param maxIterations the most iterations
   * @param tolerance the distance that no centre moves farther when it ends
   * @return the centres
   */
  public static Centres overBlocks(
      RDD<InstanceBlock> blocks,
      Centres start,
      String measure,
      int maxIterations,
      double tolerance) {
    return over(blocks, new BlockAssignment(measure, tolerance), start, maxIterations);
  }

  /**
   * Runs all iterations over single rows.
   *
   * @param rows the rows
   * @param start the first centres
   * @param measure {@code euclidean} or {@code cosine}, as MLlib names them
   * @param maxIterations the most iterations
   * @param tolerance the distance that no centre moves farther when it ends
   * @return the centres
   */
  public static Centres overRows(
      RDD<VectorWithNorm> rows,
      Centres start,
      String measure,
      int maxIterations,
      double tolerance) {
    return over(rows, new RowAssignment(measure, tolerance), start, maxIterations);
  }

  private static <T> Centres over(
      RDD<T> rows, Assignment<T> assignment, Centres start, int maxIterations) {
    Checkpoints checkpoints = Checkpoints.next(rows.context(), "clusters");
    long began = System.nanoTime();
    Centres found =
        Training.ran(rows, new Lloyd<>(assignment, start, maxIterations, checkpoints)).get(0);
    long nanos = System.nanoTime() - began;
    LOG.info(
        "k-means: {} iterations in {} ms, cost {}",
        found.iteration(),
        nanos / 1_000_000,
        found.cost());
    TrainingEvent event = new TrainingEvent();
    event.name = "k-means";
    event.iterations = found.iteration();
    event.resumedAt = found.resumedAt();
    event.reason = found.converged() ? "converged" : "";
    event.millis = nanos / 1e6;
    event.objective(found.costs());
    Publisher.of(rows.context()).publish(event);
    return found;
  }

  @Override
  public Iterator<Centres> call(Communicator communicator, Iterator<T> elements)
      throws IOException, ClassNotFoundException {
    List<T> rows = new ArrayList<>();
    elements.forEachRemaining(rows::add);
    NearestCentres<T> nearest = new NearestCentres<>(assignment, rows, start);
    String description = "k-means " + assignment.kind() + " of " + start.clusters();
    StateKeeper<Centres> keeper =
        new StateKeeper<>(communicator, training, description, checkpoints);
    Centres kept =
        keeper.newest(
            found -> {
              double now = iterated(communicator, nearest, start, 0).cost();
              double then = found.costs()[0];
              return Math.abs(now - then) <= SAME_VALUE * Math.max(now, Double.MIN_NORMAL);
            });
    Centres centres = kept == null ? start : kept;
    int resumedAt = centres.iteration();
    while (centres.iteration() < maxIterations && !centres.converged()) {
      centres = iterated(communicator, nearest, centres, resumedAt);
      keeper.keep(centres);
      if (communicator.rank() == 0) {
        LOG.info("{}: iteration {}, cost {}", training, centres.iteration(), centres.cost());
      }
    }
    keeper.end(centres);
    return communicator.rank() == 0 ? List.of(centres).iterator() : Collections.emptyIterator();
  }

  private Centres iterated(
      Communicator communicator, NearestCentres<T> nearest, Centres centres, int resumedAt) {
    int clusters = centres.clusters();
    int features = centres.features();
    int weights = clusters * features;
    double[] message = new double[weights + clusters + EXTRA];
    message[weights + clusters] = nearest.assign(centres, message);
    message[weights + clusters + 1] = nearest.rows();
    communicator.allReduce(message, ReduceOp.SUM);
    double[] coordinates = centres.coordinates().clone();
    double[] norms = centres.norms().clone();
    boolean near = true;
    double weight = 0;
    for (int i = 0; i < clusters; i++) {
      weight += message[weights + i];
      if (message[weights + i] > 0) { // nobody's centre stays
        Assignment.Moved moved = assignment.move(i, centres, message);
        System.arraycopy(moved.coordinates(), 0, coordinates, i * features, features);
        norms[i] = moved.norm();
        near &= moved.near();
      }
    }
    double[] costs = Arrays.copyOf(centres.costs(), centres.iteration() + 1);
    costs[centres.iteration()] = message[weights + clusters];
    return new Centres(
        clusters,
        coordinates,
        norms,
        costs,
        near,
        Math.round(message[weights + clusters + 1]),
        weight,
        resumedAt);
  }
}
