package org.sparkcollectives.ml.internal.training;

import java.io.Serial;
import java.io.Serializable;
import org.sparkcollectives.ml.internal.objective.Evaluation;
import org.sparkcollectives.ml.internal.objective.RankObjective;

/**
 * What all rows say where a training by mini batches starts, by which its data are known again: a
 * batch would say nothing of the rows that are not in it.
 *
 * @param rows how many rows there are
 * @param at the objective there, without penalties
 */
record Beginning(double rows, Evaluation at) implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  /** Of the sums over all rows. */
  static Beginning of(RankObjective.Sums all) {
    return new Beginning(all.weight(), Evaluation.of(all.value(), all.gradient()));
  }

  /** Whether a training that began so has the same data. */
  boolean isThatOf(Beginning kept) {
    return rows == kept.rows && at.isThatOf(kept.at);
  }
}
