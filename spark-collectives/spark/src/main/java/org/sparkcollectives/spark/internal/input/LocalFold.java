package org.sparkcollectives.spark;

import java.io.Serializable;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

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
}
