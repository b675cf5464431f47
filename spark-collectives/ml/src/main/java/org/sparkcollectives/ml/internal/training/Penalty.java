package org.sparkcollectives.ml.internal.training;

import java.io.Serial;
import java.io.Serializable;
import java.util.Optional;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.optim.loss.DifferentiableRegularization;
import org.apache.spark.ml.optim.loss.L2Regularization;
import org.jspecify.annotations.Nullable;
import scala.Function1;
import scala.Option;
import scala.Tuple2;

/** What of MLlib's regularisation can travel: parameters that make it again. */
final class Penalty implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  private static final Penalty NONE = new Penalty(0, null, Option.empty());

  private final double strength;
  private final @Nullable Function1<Object, Object> applies;
  private final Option<Function1<Object, Object>> deviations;
  private transient @Nullable L2Regularization made;

  private Penalty(
      double strength,
      @Nullable Function1<Object, Object> applies,
      Option<Function1<Object, Object>> deviations) {
    this.strength = strength;
    this.applies = applies;
    this.deviations = deviations;
  }

  /** A regularisation's parameters; nothing when it is of a kind that is not known. */
  @SuppressWarnings("unchecked")
  static Optional<Penalty> of(Option<DifferentiableRegularization<Vector>> regularization) {
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
                java.util.Objects.requireNonNull(Hidden.field(some, "applyFeaturesStd"))));
  }

  /** Value and gradient of the penalty; null when there is none. */
  @Nullable Tuple2<Object, Vector> at(Vector coefficients) {
    if (applies == null) {
      return null;
    }
    L2Regularization l2 = made;
    if (l2 == null) {
      l2 = new L2Regularization(strength, applies, deviations);
      made = l2;
    }
    return l2.calculate(coefficients);
  }
}
