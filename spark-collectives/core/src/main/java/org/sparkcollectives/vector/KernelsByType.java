package org.sparkcollectives.vector;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A kernel for each of several types of elements.
 *
 * @param kernels one for each type
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; read for every piece of a message
record KernelsByType(Kernel... kernels) implements Kernel {
  @Override
  public @Nullable Kernel on(Class<?> arrays) {
    for (Kernel kernel : kernels) {
      Kernel found = kernel.on(arrays);
      if (found != null) {
        return found;
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
