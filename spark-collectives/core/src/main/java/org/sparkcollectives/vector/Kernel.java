package org.sparkcollectives.vector;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What an operator does to runs of elements. {@link ReduceOp} calls a method only for a type that
 * the kernel accepts.
 */
interface Kernel extends Serializable {

  /** Whether the kernel works on elements of a type. */
  boolean accepts(ElementType type);

  /** What the kernel works on, for messages. */
  String accepts();

  /** A neutral value of the given one's class and length, or null where there is none. */
  default @Nullable Object identityLike(Object shape) {
    return null;
  }

  /** {@code dst[dstAt + i] = left[leftAt + i] ⊕ right[rightAt + i]}, also in place. */
  default void combine(
      double[] left, int leftAt, double[] right, int rightAt, double[] dst, int dstAt, int count) {
    throw new UnsupportedOperationException("double[]");
  }

  /** {@code dst[dstAt + i] = left[leftAt + i] ⊕ right[rightAt + i]}, also in place. */
  default void combine(
      float[] left, int leftAt, float[] right, int rightAt, float[] dst, int dstAt, int count) {
    throw new UnsupportedOperationException("float[]");
  }

  /** {@code dst[dstAt + i] = left[leftAt + i] ⊕ right[rightAt + i]}, also in place. */
  default void combine(
      long[] left, int leftAt, long[] right, int rightAt, long[] dst, int dstAt, int count) {
    throw new UnsupportedOperationException("long[]");
  }

  /** {@code dst[dstAt + i] = left[leftAt + i] ⊕ right[rightAt + i]}, also in place. */
  default void combine(
      int[] left, int leftAt, int[] right, int rightAt, int[] dst, int dstAt, int count) {
    throw new UnsupportedOperationException("int[]");
  }

  /** {@code left ⊕ right}. */
  default @Nullable Object combineObjects(Object left, Object right) {
    throw new UnsupportedOperationException("objects");
  }
}
