package org.sparkcollectives.vector;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A kernel on {@code long[]}. */
interface LongKernel extends OneTypeKernel {

  /** {@code dst[dstAt + i] = left[leftAt + i] ⊕ right[rightAt + i]}, also in place. */
  void combine(
      long[] left, int leftAt, long[] right, int rightAt, long[] dst, int dstAt, int count);

  @Override
  default Class<?> arrays() {
    return long[].class;
  }

  @Override
  default void combine(
      Object left, int leftAt, Object right, int rightAt, Object dst, int dstAt, int count) {
    combine((long[]) left, leftAt, (long[]) right, rightAt, (long[]) dst, dstAt, count);
  }

  /**
   * The arithmetic operators: plain loops over arrays. The JIT compiler vectorises those with one
   * index; where arrays begin at different ones, it cannot tell that they do not overlap.
   */
  enum Arithmetic implements LongKernel {
    /** Adds. */
    SUM(0) {
      @Override
      public void combine(
          long[] left, int leftAt, long[] right, int rightAt, long[] dst, int dstAt, int count) {
        if (OneTypeKernel.same(leftAt, rightAt, dstAt)) {
          for (int i = dstAt; i < dstAt + count; i++) {
            dst[i] = left[i] + right[i];
          }
          return;
        }
        for (int i = 0; i < count; i++) {
          dst[dstAt + i] = left[leftAt + i] + right[rightAt + i];
        }
      }
    },

    /** Multiplies. */
    PROD(1) {
      @Override
      public void combine(
          long[] left, int leftAt, long[] right, int rightAt, long[] dst, int dstAt, int count) {
        if (OneTypeKernel.same(leftAt, rightAt, dstAt)) {
          for (int i = dstAt; i < dstAt + count; i++) {
            dst[i] = left[i] * right[i];
          }
          return;
        }
        for (int i = 0; i < count; i++) {
          dst[dstAt + i] = left[leftAt + i] * right[rightAt + i];
        }
      }
    },

    /** Takes the smaller one. */
    MIN(Long.MAX_VALUE) {
      @Override
      public void combine(
          long[] left, int leftAt, long[] right, int rightAt, long[] dst, int dstAt, int count) {
        if (OneTypeKernel.same(leftAt, rightAt, dstAt)) {
          for (int i = dstAt; i < dstAt + count; i++) {
            dst[i] = Math.min(left[i], right[i]);
          }
          return;
        }
        for (int i = 0; i < count; i++) {
          dst[dstAt + i] = Math.min(left[leftAt + i], right[rightAt + i]);
        }
      }
    },

    /** Takes the larger one. */
    MAX(Long.MIN_VALUE) {
      @Override
      public void combine(
          long[] left, int leftAt, long[] right, int rightAt, long[] dst, int dstAt, int count) {
        if (OneTypeKernel.same(leftAt, rightAt, dstAt)) {
          for (int i = dstAt; i < dstAt + count; i++) {
            dst[i] = Math.max(left[i], right[i]);
          }
          return;
        }
        for (int i = 0; i < count; i++) {
          dst[dstAt + i] = Math.max(left[leftAt + i], right[rightAt + i]);
        }
      }
    };

    private final long neutral;

    Arithmetic(long neutral) {
      this.neutral = neutral;
    }

    /** The one of an operator. */
    static Arithmetic of(ReduceOp.Arithmetic operator) {
      return switch (operator) {
        case SUM -> SUM;
        case PROD -> PROD;
        case MIN -> MIN;
        case MAX -> MAX;
      };
    }

    @Override
    public @Nullable Object identityLike(Object shape) {
      long[] identity = new long[((long[]) shape).length];
      Arrays.fill(identity, neutral);
      return identity;
    }
  }

  /**
   * Applies an operator element by element.
   *
   * @param operator the operator
   * @serial exclude
   */
  @SuppressWarnings("InvalidBlockTag") // Javadoc knows it: no form that users could rely on
  record Elements(ReduceOp.SerializableLongOperator operator) implements LongKernel {
    @Override
    public void combine(
        long[] left, int leftAt, long[] right, int rightAt, long[] dst, int dstAt, int count) {
      for (int i = 0; i < count; i++) {
        dst[dstAt + i] = operator.applyAsLong(left[leftAt + i], right[rightAt + i]);
      }
    }
  }
}
