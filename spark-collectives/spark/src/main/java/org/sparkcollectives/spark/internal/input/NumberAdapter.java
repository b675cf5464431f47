package org.sparkcollectives.spark.internal.input;

import java.lang.reflect.Array;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.vector.ElementType;
import org.sparkcollectives.spark.VectorAdapter;

/** Numbers as vectors of one element. */
final class NumberAdapter implements VectorAdapter {

  @Override
  public boolean adapts(Object value) {
    return ElementType.arrayOfOne(value) != null;
  }

  @Override
  public Object toArray(Object value) {
    return Objects.requireNonNull(ElementType.arrayOfOne(value), "a number");
  }

  @Override
  public Object fromArray(Object array, @Nullable Object like) {
    return Array.get(array, 0);
  }
}
