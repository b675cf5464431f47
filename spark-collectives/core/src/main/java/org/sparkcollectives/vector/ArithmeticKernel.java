package org.sparkcollectives.vector;

import org.jspecify.annotations.Nullable;

/**
 * The arithmetic operators on arrays of doubles, floats, longs and ints. A constant, so that an
 * operator travels as a name; and the loops of a type are loaded when the first array of it comes.
 */
enum ArithmeticKernel implements Kernel {
  /** Adds. */
  SUM,
  /** Multiplies. */
  PROD,
  /** Takes the smaller one. */
  MIN,
  /** Takes the larger one. */
  MAX;

  @Override
  public @Nullable Kernel on(Class<?> arrays) {
    if (arrays == double[].class) {
      return DoubleKernel.Arithmetic.of(this);
    } else if (arrays == float[].class) {
      return FloatKernel.Arithmetic.of(this);
    } else if (arrays == long[].class) {
      return LongKernel.Arithmetic.of(this);
    } else if (arrays == int[].class) {
      return IntKernel.Arithmetic.of(this);
    }
    return null;
  }

  @Override
  public String accepts() {
    return "double[], float[], long[] and int[]";
  }

  @Override
  public @Nullable Object identityLike(Object shape) {
    Kernel kernel = on(shape.getClass());
    return kernel == null ? null : kernel.identityLike(shape);
  }
}
