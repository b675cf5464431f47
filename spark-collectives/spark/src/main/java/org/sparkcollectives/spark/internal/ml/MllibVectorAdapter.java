package org.sparkcollectives.spark.internal.ml;

import org.apache.spark.mllib.linalg.DenseVector;
import org.apache.spark.mllib.linalg.SparseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.input.SparseAdapter;
import org.sparkcollectives.spark.internal.input.SparseSum;

/**
 * Vectors of {@code org.apache.spark.mllib}; a sum of sparse ones is sparse, other results are
 * dense.
 */
public final class MllibVectorAdapter implements SparseAdapter {

  /** Made by the service loader. */
  public MllibVectorAdapter() {}

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

  @Override
  public int sparseLength(Object value) {
    return value instanceof SparseVector sparse ? sparse.size() : -1;
  }

  @Override
  public boolean sparseOnly(Class<?> type) {
    return type == SparseVector.class;
  }

  @Override
  public void addTo(Object value, SparseSum sum) {
    SparseVector sparse = (SparseVector) value;
    sum.add(sparse.indices().clone(), sparse.values().clone());
  }

  @Override
  public Object fromSparse(SparseSum sum, @Nullable Object like) {
    return new SparseVector(sum.length(), sum.indices(), sum.values());
  }
}
