package org.sparkcollectives.spark.internal.result;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;

/**
 * Reads what ranks have stored.
 *
 * @param stored each rank's results
 * @param <R> the class of the results
 */
public record SpmdResults<R>(List<ExecutorBroadcast<Object[]>> stored)
    implements FlatMapFunction<Integer, R> {

  @Override
  @SuppressWarnings("unchecked")
  public Iterator<R> call(Integer rank) {
    return (Iterator<R>) Arrays.asList(stored.get(rank).getValue()).iterator();
  }
}
