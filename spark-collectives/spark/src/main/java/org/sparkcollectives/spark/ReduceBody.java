package org.sparkcollectives.spark;

import java.util.List;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.vector.ReduceOp;
import scala.collection.Iterator;

/**
 * A rank of a reduce or an allreduce.
 *
 * @param source makes vectors of the input
 * @param op the operator
 * @param algorithm its slug, or null for the cheapest
 * @param broadcast the number under which each executor stores the result of an allreduce; 0 for a
 *     reduce, whose root returns it
 */
record ReduceBody(VectorSource source, ReduceOp<?> op, @Nullable String algorithm, long broadcast)
    implements RankBody {

  @Override
  @SuppressWarnings("unchecked")
  public @Nullable Object run(RankSession session, CollectiveConf conf, Iterator<Object> input) {
    List<Part> parts = source.parts(TaskContext.get().partitionId(), input);
    Combiner combiner = new Combiner(op);
    Communicator communicator = session.join(Parts.shapes(combiner, parts));
    if (communicator == null) {
      return null;
    }
    Object sum = Parts.fold(combiner, parts);
    ReduceOp<Object> operator = (ReduceOp<Object>) op;
    if (broadcast == 0) {
      Object result = communicator.by(algorithm).reduce(sum, operator, 0);
      return communicator.rank() == 0 ? combiner.restore(result) : null;
    }
    Object result = communicator.by(algorithm).allReduce(sum, operator);
    if (session.firstOfExecutor()) {
      int copies = session.onOneExecutor() ? conf.replicas() : 1;
      BlockStore.put(broadcast, combiner.restore(result), copies);
    }
    return null;
  }
}
