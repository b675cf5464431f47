package org.sparkcollectives.ml.internal.training;

import java.io.Serial;
import java.util.Arrays;
import org.sparkcollectives.ml.internal.objective.RankObjective;

/**
 * Where a training by mini batches of a user's objective stands. Its steps are those of the
 * objective divided by the number of rows, so that their size does not depend on how many rows
 * there are.
 */
final class OwnStep implements MiniBatchProgram.Step {
  @Serial private static final long serialVersionUID = 1L;

  /** How many batches there were. */
  private final int batches;

  /** How many of them had rows. */
  private final int steps;

  private final double[] x;
  private final double[][] memory;

  private final Losses history;
  private final boolean converged;

  private final Beginning began;

  private OwnStep(
      int batches,
      int steps,
      double[] x,
      double[][] memory,
      Losses history,
      boolean converged,
      Beginning began) {
    this.batches = batches;
    this.steps = steps;
    this.x = x;
    this.memory = memory;
    this.history = history;
    this.converged = converged;
    this.began = began;
  }

  /** Before the first batch, with the sums over all rows. */
  static OwnStep first(double[] x, RankObjective.Sums all, OwnBatches how) {
    double[][] memory = new double[how.rule().vectors()][x.length];
    Losses history = new Losses(all.value() + how.penalty(x));
    return new OwnStep(0, 0, x, memory, history, false, Beginning.of(all));
  }

  /** After a batch; one without rows moves nothing. */
  OwnStep after(RankObjective.Sums batch, OwnBatches how) {
    boolean empty = batch.weight() == 0;
    Losses values = history; // of the start it is known
    if (batches > 0) {
      values = history.and(empty ? history.last() : value(batch, how));
    }
    if (empty) {
      return new OwnStep(batches + 1, steps, x, memory, values, false, began);
    }
    double[] change = batch.gradient();
    for (int i = 0; i < x.length; i++) {
      change[i] = change[i] / batch.weight() + how.l2() / began.rows() * x[i];
    }
    double[][] remembered = Arrays.stream(memory).map(double[]::clone).toArray(double[][]::new);
    how.rule().step(batches + 1, steps + 1, change, remembered);
    double[] moved = x.clone();
    double length = 0;
    double norm = 0;
    for (int i = 0; i < x.length; i++) {
      moved[i] -= change[i];
      length += change[i] * change[i];
      norm += moved[i] * moved[i];
    }
    boolean near = Math.sqrt(length) < how.tolerance() * Math.max(Math.sqrt(norm), 1);
    return new OwnStep(batches + 1, steps + 1, moved, remembered, values, near, began);
  }

  /** With the value here, by the sums over all rows. */
  OwnStep ended(RankObjective.Sums all, OwnBatches how) {
    Losses values = history.and(all.value() + how.penalty(x));
    return new OwnStep(batches, steps, x, memory, values, converged, began);
  }

  /** The objective here, estimated by a batch that has rows. */
  double value(RankObjective.Sums batch, OwnBatches how) {
    return batch.value() * (began.rows() / batch.weight()) + how.penalty(x);
  }

  @Override
  public int iteration() {
    return batches;
  }

  @Override
  public double[] x() {
    return x;
  }

  /** The objective at the start, and after each batch but the last one. */
  @Override
  public double[] history() {
    return history.toArray();
  }

  @Override
  public Beginning began() {
    return began;
  }

  @Override
  public boolean converged() {
    return converged;
  }
}
