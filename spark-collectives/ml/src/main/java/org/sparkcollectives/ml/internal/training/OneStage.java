package org.sparkcollectives.ml.internal.training;

import breeze.linalg.DenseVector;
import breeze.optimize.DiffFunction;
import breeze.optimize.FirstOrderMinimizer;
import breeze.optimize.OWLQN;
import scala.collection.Iterator;

/**
 * Another optimiser whose iterations run in one barrier stage, for MLlib's methods that ask for one
 * of Breeze's. What it extends is the most special class that they ask for.
 */
public final class OneStage extends OWLQN<Object, DenseVector<Object>> {
  private static final double NO_L1 = 0;
  private static final double NO_TOLERANCE = 0;

  private final FirstOrderMinimizer<DenseVector<Object>, DiffFunction<DenseVector<Object>>> plain;

  /**
   * An optimiser in one stage.
   *
   * @param plain the optimiser that runs on every rank
   */
  public OneStage(
      FirstOrderMinimizer<DenseVector<Object>, DiffFunction<DenseVector<Object>>> plain) {
    super(1, 1, NO_L1, NO_TOLERANCE, DenseVector.space_Double());
    this.plain = plain;
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // states of coefficients, without gradients
  public Iterator<State<DenseVector<Object>, Object, Object>> iterations(
      DiffFunction<DenseVector<Object>> function, DenseVector<Object> initial) {
    return Training.iterations(plain, function, initial)
        .map(states -> (Iterator<State<DenseVector<Object>, Object, Object>>) (Iterator) states)
        .orElseGet(() -> plain.iterations(function, initial));
  }
}
