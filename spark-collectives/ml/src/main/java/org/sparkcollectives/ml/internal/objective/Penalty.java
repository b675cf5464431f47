package org.sparkcollectives.ml.internal.objective;

import static java.util.Objects.requireNonNull;

import java.io.Serial;
import java.io.Serializable;
import java.util.Optional;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.optim.loss.DifferentiableRegularization;
import org.apache.spark.ml.optim.loss.L2Regularization;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.ml.internal.bridge.Hidden;
import org.sparkcollectives.ml.internal.rows.Support;
import scala.Function1;
import scala.Option;

/**
 * MLlib's regularisation, which cannot travel, from its parameters, which can: half of the squares
 * of some coefficients, in proportion to a strength.
 */
public final class Penalty implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  private static final Penalty NONE = new Penalty(0, null, Option.empty(), null);

  private final double strength;
  private final @Nullable Function1<Object, Object> applies;
  private final Option<Function1<Object, Object>> deviations;

  /** Which coefficients there are, of those that MLlib's functions know; null for all. */
  private final transient @Nullable Support support;

  private Penalty(
      double strength,
      @Nullable Function1<Object, Object> applies,
      Option<Function1<Object, Object>> deviations,
      @Nullable Support support) {
    this.strength = strength;
    this.applies = applies;
    this.deviations = deviations;
    this.support = support;
  }

  /** The same where only some coefficients are, one after the other. */
  Penalty on(Support some) {
    return new Penalty(strength, applies, deviations, some);
  }

  /**
   * A regularisation's parameters.
   *
   * @param regularization MLlib's regularisation, or none
   * @return the penalty, of 0 for none; nothing when it is of a kind that is not known
   */
  @SuppressWarnings("unchecked")
  public static Optional<Penalty> of(Option<DifferentiableRegularization<Vector>> regularization) {
    if (regularization.isEmpty()) {
      return Optional.of(NONE);
    }
    DifferentiableRegularization<Vector> some = regularization.get();
    if (some.getClass() != L2Regularization.class) {
      return Optional.empty();
    }
    return Optional.of(
        new Penalty(
            some.regParam(),
            (Function1<Object, Object>) Hidden.field(some, "shouldApply"),
            (Option<Function1<Object, Object>>)
                requireNonNull(Hidden.field(some, "applyFeaturesStd")),
            null));
  }

  /**
   * Adds the penalty's gradient to another one.
   *
   * @param x coefficients
   * @param first the index of the first of them
   * @param gradient a number for each
   * @return the penalty on these coefficients
   */
  double add(double[] x, int first, double[] gradient) {
    if (applies == null) {
      return 0;
    }
    Function1<Object, Object> deviation = deviations.isEmpty() ? null : deviations.get();
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      int index = support == null ? first + i : support.index(first + i);
      if (!applies.apply$mcZI$sp(index)) {
        continue;
      }
      double scaled = x[i];
      if (deviation != null) {
        double each = deviation.apply$mcDI$sp(index);
        if (each == 0) {
          continue;
        }
        scaled = x[i] / (each * each);
      }
      sum += x[i] * scaled;
      gradient[i] += scaled * strength;
    }
    return 0.5 * sum * strength;
  }
}
