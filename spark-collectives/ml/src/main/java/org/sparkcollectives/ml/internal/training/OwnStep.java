package org.sparkcollectives.ml.internal.training;

import java.io.Serial;

/**
 * Where a training by mini batches of a user's objective stands.
 *
 * @param iteration how many batches there were
 * @param steps how many of them had rows
 * @param x the coefficients
 * @param memory what the rule of the steps remembers
 * @param losses the objective at the start, and after each batch but the last one
 * @param converged whether no batch is to follow
 * @param began what all rows say at the start
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record OwnStep(
    int iteration,
    int steps,
    double[] x,
    double[][] memory,
    Losses losses,
    boolean converged,
    Beginning began)
    implements MiniBatchProgram.Step {
  @Serial private static final long serialVersionUID = 1L;

  @Override
  public double[] history() {
    return losses.toArray();
  }

  /** At the same coefficients, after so many batches. */
  OwnStep with(int batches, Losses known) {
    return new OwnStep(batches, steps, x, memory, known, converged, began);
  }
}
