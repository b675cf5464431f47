package org.sparkcollectives.ml.internal.training;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.ml.internal.rows.Summary;

/**
 * How an estimator trains on rows that it has not seen: each rank asks once it knows their summary.
 */
@FunctionalInterface
public interface Recipe extends Serializable {
  /**
   * What is to be minimised over such rows, the same on all ranks.
   *
   * @param summary what the rows are like
   * @return the problem; null where MLlib trains nothing or says what is wrong
   * @throws IllegalArgumentException as MLlib does where parameters do not fit the rows
   */
  @Nullable MinimizationProblem<?> problem(Summary summary);
}
