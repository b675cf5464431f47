package org.sparkcollectives.spark;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Combines the elements by the operator.
 *
 * @param op the operator
 */
record OperatorFold(ReduceOp<?> op) implements LocalFold {
  @Override
  public @Nullable Object fold(int partition, Iterator<?> elements) {
    Combiner combiner = new Combiner(op);
    Object sum = combiner.fold(partition, elements);
    return sum == null ? null : combiner.restore(sum);
  }
}
