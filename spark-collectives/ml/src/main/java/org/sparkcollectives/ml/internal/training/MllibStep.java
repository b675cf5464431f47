package org.sparkcollectives.ml.internal.training;

import java.io.Serial;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Updater;
import org.jspecify.annotations.Nullable;

/**
 * Where a training by mini batches stands whose steps MLlib's updater takes.
 *
 * @param iteration how many batches there were
 * @param weights the coefficients
 * @param penalty the updater's, on them
 * @param updater as the last step has left it
 * @param losses the loss of each batch that had rows
 * @param converged whether no batch is to follow
 * @param began what all rows say at the start; null where no other application will ask
 */
record MllibStep(
    int iteration,
    Vector weights,
    double penalty,
    Updater updater,
    Losses losses,
    boolean converged,
    @Nullable Beginning began)
    implements MiniBatchProgram.Step {
  @Serial private static final long serialVersionUID = 1L;

  @Override
  public double[] x() {
    return weights.toArray();
  }

  @Override
  public double[] history() {
    return losses.toArray();
  }

  /** At the same coefficients, after so many batches. */
  MllibStep with(int batches, Losses known) {
    return new MllibStep(batches, weights, penalty, updater, known, converged, began);
  }
}
