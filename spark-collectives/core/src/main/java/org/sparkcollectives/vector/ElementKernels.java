package org.sparkcollectives.vector;

import org.jspecify.annotations.Nullable;

/** The kernels of operators that users define. */
final class ElementKernels {
  private ElementKernels() {}

  /** Applies an operator on doubles element by element. */
  record OfDouble(ReduceOp.SerializableDoubleOperator operator) implements Kernel {
    @Override
    public boolean accepts(ElementType type) {
      return type == ElementType.DOUBLE;
    }

    @Override
    public String accepts() {
      return "double[]";
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
      for (int i = 0; i < count; i++) {
        dst[dstAt + i] = operator.applyAsDouble(left[leftAt + i], right[rightAt + i]);
      }
    }
  }

  /** Applies an operator on floats element by element. */
  record OfFloat(ReduceOp.SerializableFloatOperator operator) implements Kernel {
    @Override
    public boolean accepts(ElementType type) {
      return type == ElementType.FLOAT;
    }

    @Override
    public String accepts() {
      return "float[]";
    }

    @Override
    public void combine(
        float[] left, int leftAt, float[] right, int rightAt, float[] dst, int dstAt, int count) {
      for (int i = 0; i < count; i++) {
        dst[dstAt + i] = operator.applyAsFloat(left[leftAt + i], right[rightAt + i]);
      }
    }
  }

  /** Applies an operator on longs element by element. */
  record OfLong(ReduceOp.SerializableLongOperator operator) implements Kernel {
    @Override
    public boolean accepts(ElementType type) {
      return type == ElementType.LONG;
    }

    @Override
    public String accepts() {
      return "long[]";
    }

    @Override
    public void combine(
        long[] left, int leftAt, long[] right, int rightAt, long[] dst, int dstAt, int count) {
      for (int i = 0; i < count; i++) {
        dst[dstAt + i] = operator.applyAsLong(left[leftAt + i], right[rightAt + i]);
      }
    }
  }

  /** Applies an operator on ints element by element. */
  record OfInt(ReduceOp.SerializableIntOperator operator) implements Kernel {
    @Override
    public boolean accepts(ElementType type) {
      return type == ElementType.INT;
    }

    @Override
    public String accepts() {
      return "int[]";
    }

    @Override
    public void combine(
        int[] left, int leftAt, int[] right, int rightAt, int[] dst, int dstAt, int count) {
      for (int i = 0; i < count; i++) {
        dst[dstAt + i] = operator.applyAsInt(left[leftAt + i], right[rightAt + i]);
      }
    }
  }

  /** Applies an operator on tuples of doubles, through a result of its own so that none overlap. */
  record OfDoubleTuples(int width, ReduceOp.DoubleTupleOperator operator) implements Kernel {
    @Override
    public boolean accepts(ElementType type) {
      return type == ElementType.DOUBLE;
    }

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
        operator.combine(left, leftAt + i, right, rightAt + i, result);
        System.arraycopy(result, 0, dst, dstAt + i, width);
      }
    }
  }

  /** Combines objects as wholes. */
  record OfObjects<T>(
      ReduceOp.SerializableBinaryOperator<T> operator,
      ReduceOp.@Nullable SerializableSupplier<T> identity)
      implements Kernel {
    @Override
    public boolean accepts(ElementType type) {
      return type == ElementType.OBJECT;
    }

    @Override
    public String accepts() {
      return "objects of one class";
    }

    @Override
    public @Nullable Object identityLike(Object shape) {
      return identity == null ? null : identity.get();
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // the types are those of the caller's vectors
    public @Nullable Object combineObjects(Object left, Object right) {
      return operator.apply((T) left, (T) right);
    }
  }
}
