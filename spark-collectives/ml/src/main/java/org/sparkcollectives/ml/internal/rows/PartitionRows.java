package org.sparkcollectives.ml.internal.rows;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;

/**
 * Rows of one partition, which a rank keeps apart from those of its other partitions.
 *
 * @param partition the partition's number in its RDD
 * @param rows the rows, in order
 * @param <T> the rows' class
 */
public record PartitionRows<T>(int partition, List<T> rows) {

  /**
   * Each partition as one element.
   *
   * @param rows the rows
   * @param <T> the rows' class
   * @return as many elements as there are partitions, one in each
   */
  public static <T> JavaRDD<PartitionRows<T>> of(RDD<T> rows) {
    return rows.toJavaRDD().mapPartitionsWithIndex(PartitionRows::whole, true);
  }

  private static <T> Iterator<PartitionRows<T>> whole(Integer partition, Iterator<T> rows) {
    List<T> all = new ArrayList<>();
    rows.forEachRemaining(all::add);
    return List.of(new PartitionRows<>(partition, all)).iterator();
  }
}
