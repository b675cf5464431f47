package org.sparkcollectives.vector;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The arithmetic operators: plain loops over arrays, which the JIT compiler vectorises. */
enum Arithmetic implements Kernel {
  /** Adds. */
  SUM {
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
        dst[dstAt + i] = left[leftAt + i] + right[rightAt + i];
      }
    }

    @Override
    public void combine(
        float[] left, int leftAt, float[] right, int rightAt, float[] dst, int dstAt, int count) {
      for (int i = 0; i < count; i++) {
        dst[dstAt + i] = left[leftAt + i] + right[rightAt + i];
      }
    }

    @Override
    public void combine(
        long[] left, int leftAt, long[] right, int rightAt, long[] dst, int dstAt, int count) {
      for (int i = 0; i < count; i++) {
        dst[dstAt + i] = left[leftAt + i] + right[rightAt + i];
      }
    }

    @Override
    public void combine(
        int[] left, int leftAt, int[] right, int rightAt, int[] dst, int dstAt, int count) {
      for (int i = 0; i < count; i++) {
        dst[dstAt + i] = left[leftAt + i] + right[rightAt + i];
      }
    }

    @Override
    public @Nullable Object identityLike(Object shape) {
      return filled(shape, 0, 0, 0, 0);
    }
  },

  /** Multiplies. */
  PROD {
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
        dst[dstAt + i] = left[leftAt + i] * right[rightAt + i];
      }
    }

    @Override
    public void combine(
        float[] left, int leftAt, float[] right, int rightAt, float[] dst, int dstAt, int count) {
      for (int i = 0; i < count; i++) {
        dst[dstAt + i] = left[leftAt + i] * right[rightAt + i];
      }
    }

    @Override
    public void combine(
        long[] left, int leftAt, long[] right, int rightAt, long[] dst, int dstAt, int count) {
      for (int i = 0; i < count; i++) {
        dst[dstAt + i] = left[leftAt + i] * right[rightAt + i];
      }
    }

    @Override
    public void combine(
        int[] left, int leftAt, int[] right, int rightAt, int[] dst, int dstAt, int count) {
      for (int i = 0; i < count; i++) {
        dst[dstAt + i] = left[leftAt + i] * right[rightAt + i];
      }
    }

    @Override
    public @Nullable Object identityLike(Object shape) {
      return filled(shape, 1, 1, 1, 1);
    }
  },

  /** Takes the smaller one. */
  MIN {
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
        dst[dstAt + i] = Math.min(left[leftAt + i], right[rightAt + i]);
      }
    }

    @Override
    public void combine(
        float[] left, int leftAt, float[] right, int rightAt, float[] dst, int dstAt, int count) {
      for (int i = 0; i < count; i++) {
        dst[dstAt + i] = Math.min(left[leftAt + i], right[rightAt + i]);
      }
    }

    @Override
    public void combine(
        long[] left, int leftAt, long[] right, int rightAt, long[] dst, int dstAt, int count) {
      for (int i = 0; i < count; i++) {
        dst[dstAt + i] = Math.min(left[leftAt + i], right[rightAt + i]);
      }
    }

    @Override
    public void combine(
        int[] left, int leftAt, int[] right, int rightAt, int[] dst, int dstAt, int count) {
      for (int i = 0; i < count; i++) {
        dst[dstAt + i] = Math.min(left[leftAt + i], right[rightAt + i]);
      }
    }

    @Override
    public @Nullable Object identityLike(Object shape) {
      return filled(
          shape,
          Double.POSITIVE_INFINITY,
          Float.POSITIVE_INFINITY,
          Long.MAX_VALUE,
          Integer.MAX_VALUE);
    }
  },

  /** Takes the larger one. */
  MAX {
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
        dst[dstAt + i] = Math.max(left[leftAt + i], right[rightAt + i]);
      }
    }

    @Override
    public void combine(
        float[] left, int leftAt, float[] right, int rightAt, float[] dst, int dstAt, int count) {
      for (int i = 0; i < count; i++) {
        dst[dstAt + i] = Math.max(left[leftAt + i], right[rightAt + i]);
      }
    }

    @Override
    public void combine(
        long[] left, int leftAt, long[] right, int rightAt, long[] dst, int dstAt, int count) {
      for (int i = 0; i < count; i++) {
        dst[dstAt + i] = Math.max(left[leftAt + i], right[rightAt + i]);
      }
    }

    @Override
    public void combine(
        int[] left, int leftAt, int[] right, int rightAt, int[] dst, int dstAt, int count) {
      for (int i = 0; i < count; i++) {
        dst[dstAt + i] = Math.max(left[leftAt + i], right[rightAt + i]);
      }
    }

    @Override
    public @Nullable Object identityLike(Object shape) {
      return filled(
          shape,
          Double.NEGATIVE_INFINITY,
          Float.NEGATIVE_INFINITY,
          Long.MIN_VALUE,
          Integer.MIN_VALUE);
    }
  };

  @Override
  public boolean accepts(ElementType type) {
    return type != ElementType.OBJECT && type != ElementType.BYTE;
  }

  @Override
  public String accepts() {
    return ReduceOp.NUMERIC_ARRAYS;
  }

  private static @Nullable Object filled(Object shape, double d, float f, long l, int i) {
    if (shape instanceof double[] a) {
      double[] e = new double[a.length];
      Arrays.fill(e, d);
      return e;
    } else if (shape instanceof float[] a) {
      float[] e = new float[a.length];
      Arrays.fill(e, f);
      return e;
    } else if (shape instanceof long[] a) {
      long[] e = new long[a.length];
      Arrays.fill(e, l);
      return e;
    } else if (shape instanceof int[] a) {
      int[] e = new int[a.length];
      Arrays.fill(e, i);
      return e;
    }
    return null;
  }
}
