package org.sparkcollectives.ml.internal.objective;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.bridge.DenseVectors;
import org.sparkcollectives.ml.internal.rows.PartitionRows;
import org.sparkcollectives.ml.internal.rows.Sampling;

/**
 * Sums over a mini batch of all ranks' rows, or over all of them.
 *
 * @param <T> the rows' class
 */
public final class MiniBatchObjective<T> extends RankObjective {
  private final List<PartitionRows<T>> parts;
  private final BatchFunction<T> function;
  private final Sampling sampling;
  private Sampling asked;
  private int number;
  private @Nullable Sums sums;

  /**
   * An objective.
   *
   * @param communicator the ranks
   * @param parts this rank's rows
   * @param function what rows add
   * @param sampling which of them are in a batch
   */
  public MiniBatchObjective(
      Communicator communicator,
      List<PartitionRows<T>> parts,
      BatchFunction<T> function,
      Sampling sampling) {
    super(communicator);
    this.parts = parts;
    this.function = function;
    this.sampling = sampling;
    this.asked = sampling;
  }

  /**
   * Sums over a batch; a collective call.
   *
   * @param x the coefficients
   * @param batch the batch's number, from 1
   * @return the sums, whose weight is the number of the batch's rows
   */
  public Sums batch(double[] x, int batch) {
    return sums(x, sampling, batch);
  }

  /**
   * Sums over all rows; a collective call.
   *
   * @param x the coefficients
   * @return the sums, whose weight is the number of rows
   */
  public Sums whole(double[] x) {
    return sums(x, sampling.ofAll(), 0);
  }

  private Sums sums(double[] x, Sampling of, int batch) {
    asked = of;
    number = batch;
    var unused = at(DenseVectors.over(x));
    return requireNonNull(sums);
  }

  @Override
  Sums own(double[] x) {
    return function.sums(x, asked.batch(parts, number));
  }

  @Override
  double value(Sums all) {
    sums = all;
    return all.value();
  }

  @Override
  double finish(double[] x, int first, double[] gradient, double weight) {
    return 0; // penalties are those of the steps
  }
}
