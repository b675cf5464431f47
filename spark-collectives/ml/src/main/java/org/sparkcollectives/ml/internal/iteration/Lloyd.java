package org.sparkcollectives.ml.internal.iteration;

import java.io.Serial;
import java.util.List;
import java.util.Locale;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.mllib.clustering.VectorWithNorm;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.objective.SameBits;
import org.sparkcollectives.ml.internal.state.Checkpoints;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Lloyd's iterations of k-means in one stage: each rank assigns its rows to the nearest centres,
 * one allreduce sums up the rows, weights and costs of all clusters, and every rank moves the
 * centres alike.
 *
 * @param <T> the rows' class
 */
public final class Lloyd<T> extends IterativeProgram<T, Centres> {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * What stands behind sums and weights: the cost, how many rows there are, whether bits are the
   * same.
   */
  private static final int EXTRA = 2 + SameBits.LENGTH;

  /** By how much the first centres may differ that are the same. */
  private static final double SAME_ORIGIN = 1e-8;

  private final Assignment<T> assignment;

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
    super("k-means", start, maxIterations, checkpoints);
    this.assignment = assignment;
  }

  /**
   * Refuses a vector that has no direction, in MLlib's words.
   *
   * @param length its length, or the square of it
   */
  public static void requireDirection(double length) {
    if (length == 0) {
      throw new IllegalArgumentException("Cosine distance is not defined for zero-length vectors.");
    }
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
    return new Lloyd<>(assignment, start, maxIterations, checkpoints).over(rows);
  }

  @Override
  String description() {
    return String.format(
        Locale.ROOT,
        "k-means %s of %d with %d features",
        assignment.kind(),
        start().clusters(),
        start().features());
  }

  /** {@inheritDoc} Where each row is a centre all costs are 0. */
  @Override
  boolean same(Step<Centres> step, Centres found) {
    double difference = Math.abs(found.origin() - start().origin());
    return difference <= SAME_ORIGIN && super.same(step, found);
  }

  @Override
  boolean converged(Centres centres) {
    return centres.farthest() <= assignment.limit();
  }

  @Override
  Step<Centres> step(Communicator communicator, List<T> rows) {
    NearestCentres<T> nearest = new NearestCentres<>(assignment, rows, start());
    SameBits sameBits = new SameBits(communicator, "centres", "iteration");
    return (centres, resumedAt) -> iterated(communicator, sameBits, nearest, centres, resumedAt);
  }

  private Centres iterated(
      Communicator communicator,
      SameBits sameBits,
      NearestCentres<T> nearest,
      Centres centres,
      int resumedAt) {
    int clusters = centres.clusters();
    int features = centres.features();
    int weights = clusters * features;
    double[] message = new double[weights + clusters + EXTRA];
    int extra = weights + clusters;
    message[extra] = nearest.assign(centres, message);
    message[extra + 1] = nearest.rows();
    sameBits.put(centres.hash(), message, extra + 2);
    communicator.allReduce(message, ReduceOp.SUM);
    sameBits.check(centres.hash(), message, extra + 2, centres.iteration() + 1);
    double[] coordinates = centres.coordinates().clone();
    double[] norms = centres.norms().clone();
    double farthest = 0;
    double weight = 0;
    for (int i = 0; i < clusters; i++) {
      weight += message[weights + i];
      if (message[weights + i] > 0) { // nobody's centre stays
        Assignment.Moved moved = assignment.move(i, centres, message);
        System.arraycopy(moved.coordinates(), 0, coordinates, i * features, features);
        norms[i] = moved.norm();
        farthest = Math.max(farthest, moved.distance());
      }
    }
    return new Centres(
        clusters,
        coordinates,
        norms,
        centres.objectiveAnd(message[extra]),
        farthest,
        Math.round(message[extra + 1]),
        weight,
        resumedAt,
        centres.origin());
  }
}
