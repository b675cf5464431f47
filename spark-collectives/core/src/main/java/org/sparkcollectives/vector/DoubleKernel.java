package org.sparkcollectives.vector;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A kernel on {@code double[]}. */
interface DoubleKernel extends OneTypeKernel {

  /** {@code dst[dstAt + i] = left[leftAt + i] ⊕ right[rightAt + i]}, also in place. */
  void combine(
      double[] left, int leftAt, double[] right, int rightAt, double[] dst, int dstAt, int count);

  @Override
  default Class<?> arrays() {
    return double[].class;
  }

  @Override
  default void combine(
      Object left, int leftAt, Object right, int rightAt, Object dst, int dstAt, int count) {
    combine((double[]) left, leftAt, (double[]) right, rightAt, (double[]) dst, dstAt, count);
  }

  /**
   * The arithmetic operators: plain loops over arrays. The JIT compiler vectorises those with one
   * index; where arrays begin at different ones, it cannot tell that they do not overlap.
   */
  enum Arithmetic implements DoubleKernel {
    /** Adds. */
    SUM(0) {
      @Override
      public void combine(
          double[] left,
          int leftAt,
          double[] right,
          int rightAt,
          double[] dst,
          int dstAt,
          int count) {
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
          double[] left,
          int leftAt,
          double[] right,
          int rightAt,
          double[] dst,
          int dstAt,
          int count) {
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
    MIN(Double.POSITIVE_INFINITY) {
      @Override
      public void combine(
          double[] left,
          int leftAt,
          double[] right,
          int rightAt,
          double[] dst,
          int dstAt,
          int count) {
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
    MAX(Double.NEGATIVE_INFINITY) {
      @Override
      public void combine(
          double[] left,
          int leftAt,
          double[] right,
          int rightAt,
          double[] dst,
          int dstAt,
          int count) {
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

    private final double neutral;

    Arithmetic(double neutral) {
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
      double[] identity = new double[((double[]) shape).length];
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
  record Elements(ReduceOp.SerializableDoubleOperator operator) implements DoubleKernel {
    @Override
    public void combine(
        double[] left,
        int leftAt,
        double[] right,
        int rightAt,
        double[] dst,
        int dstAt,
        int count) {
      for (int i = 0; i < count; i++) {
        dst[dstAt + i] = operator.applyAsDouble(left[leftAt + i], right[rightAt + i]);
      }
    }
  }

  /**
   * Applies an operator on tuples, through a result of its own so that none overlap.
   *
   * @param width doubles in a tuple
   * @param operator the operator
   * @serial exclude
   */
  @SuppressWarnings("InvalidBlockTag") // Javadoc knows it: no form that users could rely on
  record Tuples(int width, ReduceOp.DoubleTupleOperator operator) implements DoubleKernel {
    @Override
    public String accepts() {
      return "double[] of tuples of " + width;
    }

    @Override
    public void combine(
        double[] left,
        int leftAt,
        double[] right,
        int rightAt,
        double[] dst,
        int dstAt,
        int count) {
      double[] result = new double[width];
      for (int i = 0; i < count; i += width) {
        Arrays.fill(result, 0); // an operator may add to it
        operator.combine(left, leftAt + i, right, rightAt + i, result);
        System.arraycopy(result, 0, dst, dstAt + i, width);
      }
    }
  }
}
