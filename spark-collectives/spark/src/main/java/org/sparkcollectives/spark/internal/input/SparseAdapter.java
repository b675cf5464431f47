package org.sparkcollectives.spark.internal.input;

import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.VectorAdapter;

/** An adapter of vectors of doubles some of which keep only elements that are not zero. */
public interface SparseAdapter extends VectorAdapter {
  /**
   * The length of such a vector.
   *
   * @param value what this adapts
   * @return its length, or -1 if it keeps all elements
   */
  int sparseLength(Object value);

  /**
   * Whether a class is that of such vectors alone, so that not all results can have it.
   *
   * @param type a class
   * @return false for a class that all results have, and for one of which the adapter knows nothing
   */
  boolean sparseOnly(Class<?> type);

  /**
   * Adds such a vector to a sum.
   *
   * @param value the vector, whose length is not -1
   * @param sum the sum, which keeps nothing of it
   */
  void addTo(Object value, SparseSum sum);

  /**
   * A vector of a sum.
   *
   * @param sum the sum, whose elements the vector may keep
   * @param like a vector of the same class, or null
   * @return the vector, which keeps what the sum keeps
   */
  Object fromSparse(SparseSum sum, @Nullable Object like);
}
