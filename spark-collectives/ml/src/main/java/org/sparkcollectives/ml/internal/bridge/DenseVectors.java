package org.sparkcollectives.ml.internal.bridge;

import breeze.linalg.DenseVector;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.linalg.Vectors$;

/** Breeze's vectors of doubles, which Java knows as vectors of objects. */
public final class DenseVectors {

  private static final AtomicBoolean LOADING = new AtomicBoolean();

  private DenseVectors() {}

  /**
   * Begins to load Breeze in a thread of its own: some thousand classes, which take a new JVM a
   * second or more, while rows are read.
   */
  public static void load() {
    if (LOADING.compareAndSet(false, true)) {
      Thread thread = new Thread(() -> over(new double[0]), "collectives-breeze");
      thread.setDaemon(true);
      thread.start();
    }
  }

  /**
   * A vector over an array.
   *
   * @param array the elements, which are shared
   * @return the vector
   */
  @SuppressWarnings("unchecked")
  public static DenseVector<Object> over(double[] array) {
    return (DenseVector<Object>) Vectors.dense(array).asBreeze();
  }

  /**
   * The vector as MLlib has it.
   *
   * @param vector the vector
   * @return the same, which may share its array
   */
  public static Vector mllib(DenseVector<Object> vector) {
    return Vectors$.MODULE$.fromBreeze(vector);
  }

  /**
   * A vector's elements.
   *
   * @param vector the vector
   * @return its elements; the array may be its own
   */
  public static double[] array(DenseVector<Object> vector) {
    return mllib(vector).toArray();
  }
}
