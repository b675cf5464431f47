package org.sparkcollectives.vector;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A kernel on {@code int[]}. */
interface IntKernel extends OneTypeKernel {

  /** {@code dst[dstAt + i] = left[leftAt + i] ⊕ right[rightAt + i]}, also in place. */
  void combine(int[] left, int leftAt, int[] right, int rightAt, int[] dst, int dstAt, int count);

  @Override
  default Class<?> arrays() {
    return int[].class;
  }

  @Override
  default void combine(
      Object left, int leftAt, Object right, int rightAt, Object dst, int dstAt, int count) {
    combine((int[]) left, leftAt, (int[]) right, rightAt, (int[]) dst, dstAt, count);
  }

  /**
   * The arithmetic operators: plain loops over arrays. The JIT compiler vectorises those with one
   * index; where arrays begin at different ones, it cannot tell that they do not overlap.
   */
  enum Arithmetic implements IntKernel {
    /** Adds. */
    SUM(0) {
      @Override
      public void combine(
          int[] left, int leftAt, int[] right, int rightAt, int[] dst, int dstAt, int count) {
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
          int[] left, int leftAt, int[] right, int rightAt, int[] dst, int dstAt, int count) {
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
    MIN(Integer.MAX_VALUE) {
      @Override
      public void combine(
          int[] left, int leftAt, int[] right, int rightAt, int[] dst, int dstAt, int count) {
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
    MAX(Integer.MIN_VALUE) {
      @Override
      public void combine(
          int[] left, int leftAt, int[] right, int rightAt, int[] dst, int dstAt, int count) {
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

    private final int neutral;

    Arithmetic(int neutral) {
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
      int[] identity = new int[((int[]) shape).length];
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
  record Elements(ReduceOp.SerializableIntOperator operator) implements IntKernel {
    @Override
    public void combine(
        int[] left, int leftAt, int[] right, int rightAt, int[] dst, int dstAt, int count) {
      for (int i = 0; i < count; i++) {
        dst[dstAt + i] = operator.applyAsInt(left[leftAt + i], right[rightAt + i]);
      }
    }
  }
}
