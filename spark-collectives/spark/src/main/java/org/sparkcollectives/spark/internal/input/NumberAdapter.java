package org.sparkcollectives.spark.internal.input;

import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.VectorAdapter;

/** Numbers as vectors of one element. */
final class NumberAdapter implements VectorAdapter {

  @Override
  public boolean adapts(Object value) {
    return value instanceof Double
        || value instanceof Float
        || value instanceof Long
        || value instanceof Integer;
  }

  @Override
  public Object toArray(Object value) {
    if (value instanceof Double number) {
      return new double[] {number};
    } else if (value instanceof Float number) {
      return new float[] {number};
    } else if (value instanceof Long number) {
      return new long[] {number};
    }
    return new int[] {(Integer) value};
  }

  @Override
  public Object fromArray(Object array, @Nullable Object like) {
    return java.lang.reflect.Array.get(array, 0);
  }
}
