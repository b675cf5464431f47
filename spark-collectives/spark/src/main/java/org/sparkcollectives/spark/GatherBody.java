package org.sparkcollectives.spark;

import java.util.List;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.internal.vector.FixedVector;
import scala.collection.Iterator;

/**
 * A rank of a gather or an allgather of all vectors, end to end.
 *
 * @param source makes vectors of the input
 * @param algorithm its slug, or null for the cheapest
 * @param broadcast the number under which each executor stores the result of an allgather; 0 for a
 *     gather, whose root returns it
 */
record GatherBody(VectorSource source, @Nullable String algorithm, long broadcast)
    implements RankBody {

  @Override
  public @Nullable Object run(RankSession session, CollectiveConf conf, Iterator<Object> input) {
    List<Part> parts = source.parts(TaskContext.get().partitionId(), input);
    Concatenator concatenator = new Concatenator();
    Communicator communicator = session.join(concatenator.shapes(parts));
    if (communicator == null) {
      return null;
    }
    List<FixedVector> vectors = concatenator.vectors(parts);
    FixedVector own =
        vectors.size() == 1
            ? vectors.get(0)
            : concatenator.concatenate(vectors, "rank " + communicator.rank());
    int[] lengths = communicator.allGather(new int[] {own.length()});
    if (broadcast == 0) {
      Object result = communicator.by(algorithm).gather(own.array(), lengths, 0);
      return result == null ? null : concatenator.restore(result);
    }
    Object result = communicator.by(algorithm).allGather(own.array(), lengths);
    if (session.firstOfExecutor()) {
      int copies = session.onOneExecutor() ? conf.replicas() : 1;
      BlockStore.put(broadcast, concatenator.restore(result), copies);
    }
    return null;
  }
}
