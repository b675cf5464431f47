package org.sparkcollectives.spark.internal.input;

import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A partition of the user's RDD, as a rank gets it.
 *
 * @param partition its index
 * @param elements its elements, computed as they are asked for
 */
public record RankInput(int partition, PartitionElements elements) {

  /**
   * Folds all elements.
   *
   * @param fold how
   * @param before what partitions before it have been folded to, which may be changed; null for
   *     nothing
   * @return the operand of all; null if there are none
   */
  public @Nullable Object fold(LocalFold fold, @Nullable Object before) {
    return elements.folded(fold, before, partition);
  }

  /**
   * The elements of several partitions, one after another.
   *
   * @param inputs the partitions
   * @return all elements; a partition is computed when its first element is asked for
   */
  public static Iterator<Object> elements(Iterator<RankInput> inputs) {
    return new Iterator<>() {
      private Iterator<Object> current = Collections.emptyIterator();

      @Override
      public boolean hasNext() {
        while (!current.hasNext()) {
          if (!inputs.hasNext()) {
            return false;
          }
          current = inputs.next().elements();
        }
        return true;
      }

      @Override
      public Object next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return current.next();
      }
    };
  }
}
