package org.sparkcollectives.vector;

import org.jspecify.annotations.Nullable;

/** A kernel on arrays of one class. */
interface OneTypeKernel extends Kernel {

  /** The class of the arrays. */
  Class<?> arrays();

  @Override
  default @Nullable Kernel on(Class<?> arrays) {
    return arrays == arrays() ? this : null;
  }

  @Override
  default String accepts() {
    return arrays().getTypeName();
  }
}
