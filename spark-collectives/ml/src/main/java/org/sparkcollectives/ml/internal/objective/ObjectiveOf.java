package org.sparkcollectives.ml.internal.objective;

import java.io.Serializable;
import java.util.List;
import org.sparkcollectives.Communicator;

/**
 * Makes an objective where the rows are.
 *
 * @param <T> the rows' class
 */
@FunctionalInterface
public interface ObjectiveOf<T> extends Serializable {
  /**
   * The objective over all ranks' rows.
   *
   * @param communicator the ranks
   * @param rows those of this rank
   * @return a new one
   */
  RankObjective over(Communicator communicator, List<T> rows);
}
