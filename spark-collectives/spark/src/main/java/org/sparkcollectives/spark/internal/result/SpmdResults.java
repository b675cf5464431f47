package org.sparkcollectives.spark.internal.result;

import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.sparkcollectives.spark.internal.input.Ranks;

/**
 * Reads what ranks have stored.
 *
 * @param stored each rank's results
 * @param <R> the class of the results
 */
public record SpmdResults<R>(ExecutorBroadcast<?> stored) implements FlatMapFunction<Integer, R> {

  /**
   * An RDD of the results, those of each rank in one partition.
   *
   * @param context the application
   * @param values the results of the ranks
   * @param ranks how many ranks there were
   * @param <R> the class of the results
   * @return the RDD
   */
  public static <R> JavaRDD<R> rdd(JavaSparkContext context, StoredValues values, int ranks) {
    ExecutorBroadcast<?> stored = values.broadcast();
    return StoredRdd.of(Ranks.numbered(context, ranks).flatMap(new SpmdResults<>(stored)), stored);
  }

  @Override
  @SuppressWarnings("unchecked")
  public Iterator<R> call(Integer rank) {
    return (Iterator<R>) Arrays.asList((Object[]) stored.part(rank)).iterator();
  }
}
