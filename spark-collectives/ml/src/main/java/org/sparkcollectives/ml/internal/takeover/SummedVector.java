package org.sparkcollectives.ml.internal.takeover;

import breeze.linalg.DenseVector;
import org.apache.spark.mllib.linalg.Vectors;
import org.jspecify.annotations.Nullable;

/** A vector of numbers and nothing else: its own array. */
enum SummedVector implements Summed {
  /** The only one. */
  FORM;

  /** {@inheritDoc} A vector that is null says that no element was added. */
  @Override
  public double @Nullable [] numbers(@Nullable Object aggregate) {
    if (aggregate instanceof DenseVector<?> vector) {
      return array(vector);
    }
    if (aggregate == null) {
      return null;
    }
    throw new IllegalArgumentException("not a vector of sums: " + aggregate.getClass());
  }

  @Override
  public Object aggregate(double[] numbers, @Nullable Object zero) {
    return Vectors.dense(numbers).asBreeze();
  }

  /**
   * A vector's elements.
   *
   * @param vector the vector
   * @return its own array where it has no more than these, else a copy
   */
  static double[] array(DenseVector<?> vector) {
    double[] data = (double[]) vector.data();
    boolean whole = vector.offset() == 0 && vector.stride() == 1 && vector.length() == data.length;
    return whole ? data : array(vector.copy());
  }
}
