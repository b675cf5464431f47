package org.sparkcollectives.spark;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

/** The Java entry: collectives on an RDD and on a context. */
public final class JavaCollectives {
  private JavaCollectives() {}

  /**
   * Collectives on the vectors of an RDD.
   *
   * @param rdd its elements are primitive arrays, numbers, MLlib vectors, or objects of any class
   *     with an operator made by {@link org.sparkcollectives.vector.ReduceOp#ofObjects}. Those that
   *     are vectors have the class {@code Vector} and none below it: results of sparse ones may be
   *     dense
   * @param <T> the elements' class
   * @return the operations
   */
  public static <T> RddCollectives<T> of(JavaRDD<T> rdd) {
    return new RddCollectives<>(rdd);
  }

  /**
   * Collectives on values of the driver.
   *
   * @param context the application
   * @return the operations
   */
  public static ContextCollectives of(JavaSparkContext context) {
    return new ContextCollectives(context);
  }
}
