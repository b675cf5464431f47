package org.sparkcollectives.ml.internal.training;

import java.io.Serial;
import java.util.Arrays;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.GradientDescent$;
import org.apache.spark.mllib.optimization.Updater;
import org.sparkcollectives.ml.internal.bridge.Hidden;
import org.sparkcollectives.ml.internal.objective.MiniBatches;
import org.sparkcollectives.ml.internal.objective.RankObjective;
import org.sparkcollectives.ml.internal.objective.RowGradients;
import org.sparkcollectives.ml.internal.state.StateKeeper;
import scala.Tuple2;

/** Where a training by mini batches stands: it does not change, the next step is another one. */
final class Step implements StateKeeper.Kept {
  @Serial private static final long serialVersionUID = 1L;

  /** How many batches there were. */
  private final int batches;

  private final Vector weights;
  private final double penalty;
  private final boolean moved;
  private final boolean converged;
  private final Updater updater;
  private final double[] losses;

  private Step(
      int batches,
      Vector weights,
      double penalty,
      boolean moved,
      boolean converged,
      Updater updater,
      double[] losses) {
    this.batches = batches;
    this.weights = weights;
    this.penalty = penalty;
    this.moved = moved;
    this.converged = converged;
    this.updater = updater;
    this.losses = losses;
  }

  /** Before the first batch. */
  static Step first(MiniBatches how) {
    Vector weights = Vectors.dense(how.initial().toArray().clone());
    Updater updater = RowGradients.apart(how.updater());
    Vector zeros = Vectors.zeros(weights.size());
    double penalty = (double) updater.compute(weights, zeros, 0, 1, how.regParam())._2();
    return new Step(0, weights, penalty, false, false, updater, new double[0]);
  }

  /** After a batch, as {@code GradientDescent} goes on from it. */
  Step after(RankObjective.Sums batch, MiniBatches how) {
    int number = batches + 1;
    double rows = batch.weight();
    if (rows == 0) {
      return new Step(number, weights, penalty, moved, converged, updater, losses);
    }
    double[] all = Arrays.copyOf(losses, losses.length + 1);
    all[losses.length] = loss(batch);
    if (number > how.iterations()) { // of the last batch the loss alone counts
      return new Step(number, weights, penalty, moved, converged, updater, all);
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
    return new Step(number, now, (double) update._2(), true, near, next, all);
  }

  /** The loss of a batch at these coefficients. */
  double loss(RankObjective.Sums batch) {
    return batch.value() / batch.weight() + penalty;
  }

  @Override
  public int iteration() {
    return batches;
  }

  Vector weights() {
    return weights;
  }

  boolean converged() {
    return converged;
  }

  /** The loss of each batch that had rows. */
  double[] losses() {
    return losses;
  }
}
