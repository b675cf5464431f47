package org.sparkcollectives.ml.internal.bridge;

import org.apache.spark.api.java.function.Function;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.VectorUDT;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a data set as Spark SQL keeps them. {@link Dataset#rdd} makes objects of them by code
 * that it generates on each executor, and loads Scala's reflection there, which takes new executors
 * seconds.
 */
public final class SqlRows {
  private static final VectorUDT VECTORS = new VectorUDT();
  private static final int VECTOR_FIELDS = VECTORS.sqlType().size();

  private SqlRows() {}

  /**
   * Makes something of each row.
   *
   * @param dataset the rows
   * @param function makes it; the row may be another one after the call
   * @param <T> what it makes
   * @return what it has made, in order
   */
  public static <T> RDD<T> map(Dataset<?> dataset, Function<InternalRow, T> function) {
    return dataset.queryExecution().toRdd().toJavaRDD().map(function).rdd();
  }

  /**
   * A number of a row.
   *
   * @param row the row
   * @param column which of its columns, one of doubles
   * @return the number; NaN where there is none
   */
  public static double number(InternalRow row, int column) {
    return row.isNullAt(column) ? Double.NaN : row.getDouble(column);
  }

  /**
   * A vector of a row.
   *
   * @param row the row
   * @param column which of its columns, one of MLlib's vectors
   * @return the vector; null where there is none
   */
  public static @Nullable Vector vector(InternalRow row, int column) {
    return row.isNullAt(column) ? null : VECTORS.deserialize(row.getStruct(column, VECTOR_FIELDS));
  }
}
