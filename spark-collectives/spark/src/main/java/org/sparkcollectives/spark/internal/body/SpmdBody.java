package org.sparkcollectives.spark;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.error.SparkErrors;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A rank of a user's program; its results are stored on its executor.
 *
 * @param function the program
 * @param base number under which rank 0 stores its results; rank i adds i
 * @param <T> the class of the RDD's elements
 * @param <R> the class of the results
 */
record SpmdBody<T, R>(CollectiveFunction<T, R> function, long base) implements RankBody {

  @Override
  @SuppressWarnings("unchecked")
  public @Nullable Object run(
      RankSession session, CollectiveConf conf, scala.collection.Iterator<Object> input)
      throws Exception {
    Communicator communicator = session.join(null);
    if (communicator == null) {
      throw SparkErrors.jobOver();
    }
    Iterator<T> elements = (Iterator<T>) CollectionConverters.asJava(input);
    Iterator<R> results = function.call(communicator, elements);
    List<R> list = new ArrayList<>();
    results.forEachRemaining(list::add);
    BlockStore.put(base + TaskContext.get().partitionId(), list.toArray(), conf.replicas());
    return null;
  }
}
