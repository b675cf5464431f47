package org.sparkcollectives.vector;

import org.jspecify.annotations.Nullable;

/** A kernel on arrays of one class. */
interface OneTypeKernel extends Kernel {

  /** The class of the arrays. */
  Class<?> arrays();

  /** Whether one index does for all three arrays. */
  static boolean same(int leftAt, int rightAt, int dstAt) {
    return leftAt == dstAt && rightAt == dstAt;
  }

  @Override
  default @Nullable Kernel on(Class<?> arrays) {
    return arrays == arrays() ? this : null;
  }

  @Override
  default String accepts() {
    return arrays().getTypeName();
  }
}
