package org.sparkcollectives.spark.internal.input;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.spark.VectorAdapter;

/**
 * The form that elements have: primitive arrays themselves, or values that an adapter turns into
 * such and back. Learned from the elements that pass through. For one thread.
 */
final class ElementForm {
  private @Nullable VectorAdapter adapter;
  private @Nullable Object sample;

  /** The array that an element stands for, which may be its own; null if it stands for none. */
  @Nullable Object array(Object element) {
    if (Vector.takes(element)) {
      return element;
    }
    VectorAdapter known = VectorAdapters.of(element);
    if (known == null) {
      return null;
    }
    adapter = known;
    sample = element;
    return known.toArray(element);
  }

  /** A sum of nothing but an element that keeps only some of its own, or null for others. */
  @Nullable SparseSum sparse(Object element) {
    if (Vector.takes(element) || !(VectorAdapters.of(element) instanceof SparseAdapter known)) {
      return null;
    }
    int length = known.sparseLength(element);
    if (length < 0) {
      return null;
    }
    adapter = known;
    sample = element;
    SparseSum sum = new SparseSum(length);
    known.addTo(element, sum);
    return sum;
  }

  /** A value of the elements' class for a sum, which it may keep. */
  Object restore(SparseSum sum) {
    return ((SparseAdapter) requireNonNull(adapter)).fromSparse(sum, sample);
  }

  /** The class of the elements, in words, where these are numbers, which have no parts. */
  @Nullable String number() {
    Object number = sample;
    return adapter instanceof NumberAdapter && number != null
        ? number.getClass().getTypeName()
        : null;
  }

  /** A value of the elements' class for an array, which it may keep. */
  Object restore(Object array) {
    VectorAdapter known = adapter;
    return known == null ? array : known.fromArray(array, sample);
  }

  /** Whether elements are arrays themselves, as far as is known. */
  boolean isArray() {
    return adapter == null;
  }
}
