package org.sparkcollectives.vector;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** What an operator does to runs of array elements, or to objects. */
interface Kernel extends Serializable {

  /** The kernel for arrays of a class, or null where the operator does not combine them. */
  @Nullable Kernel on(Class<?> arrays);

  /** What the kernel works on, for messages. */
  String accepts();

  /** Whether the kernel combines objects as wholes. */
  default boolean onObjects() {
    return false;
  }

  /** Whether {@link #identityLike} makes neutral values. */
  default boolean hasIdentity() {
    return false;
  }

  /** A neutral value of the given one's class and length, or null where there is none. */
  default @Nullable Object identityLike(Object shape) {
    return null;
  }

  /**
   * {@code dst[dstAt + i] = left[leftAt + i] ⊕ right[rightAt + i]}, also in place, of arrays of the
   * class that {@link #on} was asked for.
   */
  default void combine(
      Object left, int leftAt, Object right, int rightAt, Object dst, int dstAt, int count) {
    throw new UnsupportedOperationException(accepts());
  }

  /** {@code left ⊕ right}. */
  default @Nullable Object combineObjects(Object left, Object right) {
    throw new UnsupportedOperationException("objects");
  }
}
