package org.sparkcollectives.spark.internal.input;

import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * A partition of the user's RDD, as a rank gets it.
 *
 * @param partition its index
 * @param elements its elements, computed as they are asked for
 */
public record RankInput(int partition, Iterator<Object> elements) {

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
