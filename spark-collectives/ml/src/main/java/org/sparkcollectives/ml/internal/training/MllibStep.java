package org.sparkcollectives.ml.internal.training;

import java.io.Serial;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.GradientDescent$;
import org.apache.spark.mllib.optimization.Updater;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.ml.internal.bridge.Hidden;
import org.sparkcollectives.ml.internal.objective.MiniBatches;
import org.sparkcollectives.ml.internal.objective.RankObjective;
import org.sparkcollectives.ml.internal.objective.RowGradients;
import scala.Tuple2;

/** Where a training by mini batches stands whose steps MLlib's updater takes. */
final class MllibStep implements MiniBatchProgram.Step {
  @Serial private static final long serialVersionUID = 1L;

  /** How many batches there were. */
  private final int batches;

  private final Vector weights;
  private final double penalty;
  private final boolean moved;
  private final boolean converged;
  private final Updater updater;
  private final Losses losses;

  /** What all rows say at the start; null where no other application will ask. */
  private final @Nullable Beginning began;

  private MllibStep(
      int batches,
      Vector weights,
      double penalty,
      boolean moved,
      boolean converged,
      Updater updater,
      Losses losses,
      @Nullable Beginning began) {
    this.batches = batches;
    this.weights = weights;
    this.penalty = penalty;
    this.moved = moved;
    this.converged = converged;
    this.updater = updater;
    this.losses = losses;
    this.began = began;
  }

  /** Before the first batch. */
  static MllibStep first(MiniBatches how, @Nullable Beginning began) {
    Vector weights = Vectors.dense(how.initial().toArray().clone());
    Updater updater = RowGradients.apart(how.updater());
    Vector zeros = Vectors.zeros(weights.size());
    double penalty = (double) updater.compute(weights, zeros, 0, 1, how.regParam())._2();
    return new MllibStep(0, weights, penalty, false, false, updater, new Losses(), began);
  }

  /** After a batch, as {@code GradientDescent} goes on from it. */
  MllibStep after(RankObjective.Sums batch, MiniBatches how) {
    int number = batches + 1;
    double rows = batch.weight();
    if (rows == 0) {
      return new MllibStep(number, weights, penalty, moved, converged, updater, losses, began);
    }
    double[] gradient = batch.gradient();
    for (int j = 0; j < gradient.length; j++) {
      gradient[j] /= rows;
    }
    Updater next = RowGradients.apart(updater);
    Tuple2<Vector, Object> update =
        next.compute(weights, Vectors.dense(gradient), how.stepSize(), number, how.regParam());
    Vector now = update._1();
    boolean near =
        moved
            && Boolean.TRUE.equals(
                Hidden.call(
                    GradientDescent$.class,
                    GradientDescent$.MODULE$,
                    "isConverged",
                    weights,
                    now,
                    how.tolerance()));
    return new MllibStep(
        number, now, (double) update._2(), true, near, next, losses.and(loss(batch)), began);
  }

  /** After a batch of which the loss alone counts. */
  MllibStep withLoss(RankObjective.Sums batch) {
    return batch.weight() == 0
        ? this
        : new MllibStep(
            batches, weights, penalty, moved, converged, updater, losses.and(loss(batch)), began);
  }

  /** The loss of a batch at these coefficients. */
  double loss(RankObjective.Sums batch) {
    return batch.value() / batch.weight() + penalty;
  }

  @Override
  public int iteration() {
    return batches;
  }

  @Override
  public double[] x() {
    return weights.toArray();
  }

  /** The loss of each batch that had rows. */
  @Override
  public double[] history() {
    return losses.toArray();
  }

  @Override
  public @Nullable Beginning began() {
    return began;
  }

  @Override
  public boolean converged() {
    return converged;
  }
}
