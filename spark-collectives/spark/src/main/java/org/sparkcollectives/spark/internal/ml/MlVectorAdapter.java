package org.sparkcollectives.spark.internal.ml;

import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.linalg.Vector;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.VectorAdapter;

/** Vectors of {@code org.apache.spark.ml}; results are dense. */
public final class MlVectorAdapter implements VectorAdapter {

  /** Made by the service loader. */
  public MlVectorAdapter() {}

  @Override
  public boolean adapts(Object value) {
    return value instanceof Vector;
  }

  @Override
  public Object toArray(Object value) {
    return ((Vector) value).toArray();
  }

  @Override
  public Object fromArray(Object array, @Nullable Object like) {
    return new DenseVector((double[]) array);
  }
}
