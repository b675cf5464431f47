package org.sparkcollectives.vector;

import java.io.Serial;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A kernel for each of several types of elements. */
final class KernelsByType implements Kernel {
  @Serial private static final long serialVersionUID = 1L;

  /** The classes of arrays, looked through for every piece of a message. */
  private final Class<?>[] types;

  /** The kernel for each of them. */
  private final Kernel[] kernels;

  KernelsByType(OneTypeKernel... kernels) {
    this.types = Arrays.stream(kernels).map(OneTypeKernel::arrays).toArray(Class<?>[]::new);
    this.kernels = kernels;
  }

  @Override
  public @Nullable Kernel on(Class<?> arrays) {
    for (int i = 0; i < types.length; i++) {
      if (types[i] == arrays) {
        return kernels[i];
      }
    }
    return null;
  }

  @Override
  public String accepts() {
    int last = kernels.length - 1;
    return Arrays.stream(kernels, 0, last).map(Kernel::accepts).collect(Collectors.joining(", "))
        + " and "
        + kernels[last].accepts();
  }

  @Override
  public @Nullable Object identityLike(Object shape) {
    Kernel kernel = on(shape.getClass());
    return kernel == null ? null : kernel.identityLike(shape);
  }
}
