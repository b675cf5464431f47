package org.sparkcollectives.spark;

import java.util.Iterator;
import org.apache.spark.api.java.function.Function2;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.SparkErrors;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Adds the elements to a zero, as {@code RDD.aggregate} does.
 *
 * @param zero makes the zero
 * @param add adds an element
 * @param <T> the elements' class
 * @param <U> the value's class
 */
record SequenceFold<T, U>(ReduceOp.SerializableSupplier<U> zero, Function2<U, T, U> add)
    implements LocalFold {
  @Override
  @SuppressWarnings("unchecked")
  public @Nullable Object fold(int partition, Iterator<?> elements) {
    if (!elements.hasNext()) {
      return null;
    }
    U sum = zero.get();
    while (elements.hasNext()) {
      sum = Calls.checked(add, sum, (T) elements.next());
    }
    if (sum == null) {
      throw SparkErrors.nullAggregate(partition);
    }
    return sum;
  }
}
