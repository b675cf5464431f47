package org.sparkcollectives.ml.internal.training;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;

/**
 * Labelled rows of one partition, which a rank keeps apart from those of its other partitions.
 *
 * @param partition the partition's number in its RDD
 * @param rows a label and features each, in order
 */
record PartitionRows(int partition, List<Tuple2<Object, Vector>> rows) {

  /** Each partition as one element. */
  static JavaRDD<PartitionRows> of(RDD<Tuple2<Object, Vector>> rows) {
    return rows.toJavaRDD().mapPartitionsWithIndex(PartitionRows::whole, true);
  }

  private static Iterator<PartitionRows> whole(
      Integer partition, Iterator<Tuple2<Object, Vector>> rows) {
    List<Tuple2<Object, Vector>> all = new ArrayList<>();
    rows.forEachRemaining(all::add);
    return List.of(new PartitionRows(partition, all)).iterator();
  }
}
