package org.sparkcollectives.spark.internal.input;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function2;
import org.sparkcollectives.spark.internal.rendezvous.Attempt;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;
import scala.Tuple2;

/**
 * Folds partitions in an ordinary stage, before a shuffle brings consecutive ones to one rank. What
 * goes through the shuffle is of the elements' class.
 *
 * @param attempt the attempt that the folded values are for
 * @param fold how elements are folded
 * @param <T> the elements' class
 */
public record PartitionFold<T>(Attempt attempt, LocalFold fold)
    implements Function2<Integer, Iterator<T>, Iterator<Tuple2<Integer, Object>>> {

  /**
   * Groups consecutive partitions.
   *
   * @param rdd the RDD
   * @param fold how elements are folded
   * @param ranks how many groups
   * @param attempt the attempt that the groups are for
   * @param <T> the elements' class
   * @return pairs of a partition's number and its folded value, one group in each partition
   */
  public static <T> JavaRDD<?> grouped(JavaRDD<T> rdd, LocalFold fold, int ranks, Attempt attempt) {
    JavaRDD<Tuple2<Integer, Object>> folded =
        rdd.mapPartitionsWithIndex(new PartitionFold<>(attempt, fold), false);
    return JavaPairRDD.fromJavaRDD(folded)
        .partitionBy(new Consecutive(rdd.getNumPartitions(), ranks))
        .map(pair -> pair);
  }

  @Override
  public Iterator<Tuple2<Integer, Object>> call(Integer partition, Iterator<T> elements) {
    try {
      Object operand = fold.fold(partition, elements);
      return (operand == null
              ? List.<Tuple2<Integer, Object>>of()
              : List.of(new Tuple2<>(partition, fold.restore(operand))))
          .iterator();
    } catch (Throwable failure) {
      RankSession.note(attempt, failure);
      throw failure;
    }
  }
}
