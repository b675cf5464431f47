package org.sparkcollectives.spark;

import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.api.java.function.Function2;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.SparkErrors;
import org.sparkcollectives.vector.ReduceOp;

/** Makes one value of a partition's elements. */
interface LocalFold extends Serializable {

  /**
   * Folds a partition.
   *
   * @param partition its index, for messages
   * @param elements its elements
   * @return the value, which shares nothing with the elements; null if there are none
   */
  @Nullable Object fold(int partition, Iterator<?> elements);

  /**
   * Combines the elements by the operator.
   *
   * @param op the operator
   */
  record ByOperator(ReduceOp<?> op) implements LocalFold {
    @Override
    public @Nullable Object fold(int partition, Iterator<?> elements) {
      Combiner combiner = new Combiner(op);
      Object sum = combiner.fold(partition, elements);
      return sum == null ? null : combiner.restore(sum);
    }
  }

  /**
   * Adds the elements to a zero, as {@code RDD.aggregate} does.
   *
   * @param zero makes the zero
   * @param add adds an element
   * @param <T> the elements' class
   * @param <U> the value's class
   */
  record BySequence<T, U>(ReduceOp.SerializableSupplier<U> zero, Function2<U, T, U> add)
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
}
