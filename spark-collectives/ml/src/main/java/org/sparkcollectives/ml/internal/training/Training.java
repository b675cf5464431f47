package org.sparkcollectives.ml.internal.training;

import breeze.linalg.DenseVector;
import breeze.optimize.FirstOrderMinimizer;
import breeze.optimize.FirstOrderMinimizer.State;
import java.util.Optional;
import org.apache.spark.ml.optim.loss.RDDLossFunction;
import scala.collection.Iterator;

/** The entry for what calls Breeze's optimisers at the driver. */
public final class Training {

  private Training() {}

  /**
   * The states of an optimisation, run in one barrier stage, in place of {@link
   * FirstOrderMinimizer#iterations}.
   *
   * @param minimizer the optimiser
   * @param function what it minimises: an {@link RDDLossFunction}, or a cached one
   * @param initial where it starts: a {@link DenseVector} of doubles
   * @return the states, of which the last alone has a position and a gradient; nothing when the
   *     optimiser or the function is not known here, so that the caller goes on by itself
   */
  public static Optional<Iterator<State<?, ?, ?>>> iterations(
      FirstOrderMinimizer<?, ?> minimizer, Object function, Object initial) {
    return Optional.empty();
  }
}
