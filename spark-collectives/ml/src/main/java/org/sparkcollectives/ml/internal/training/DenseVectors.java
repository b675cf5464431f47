package org.sparkcollectives.ml.internal.training;

import breeze.linalg.DenseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.linalg.Vectors$;

/** Breeze's vectors of doubles, which Java knows as vectors of objects. */
final class DenseVectors {

  private DenseVectors() {}

  /** A vector over an array, which it shares. */
  @SuppressWarnings("unchecked")
  static DenseVector<Object> over(double[] array) {
    return (DenseVector<Object>) Vectors.dense(array).asBreeze();
  }

  /** The vector as MLlib has it; both may share an array. */
  static Vector mllib(DenseVector<Object> vector) {
    return Vectors$.MODULE$.fromBreeze(vector);
  }

  /** A vector's elements; the array may be the vector's own. */
  static double[] array(DenseVector<Object> vector) {
    return mllib(vector).toArray();
  }
}
