package org.sparkcollectives.spark;

import java.util.List;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.vector.ReduceOp;
import org.sparkcollectives.internal.vector.Vector;
import scala.collection.Iterator;

/**
 * A rank of a reduce-scatter: stores its parts of the combination of all vectors.
 *
 * @param source makes vectors of the input
 * @param op the operator, on arrays
 * @param pieces how many parts the result is cut into
 * @param algorithm its slug, or null for the cheapest
 * @param base number under which part 0 is stored; part i adds i
 */
record ReduceScatterBody(
    VectorSource source, ReduceOp<?> op, int pieces, @Nullable String algorithm, long base)
    implements RankBody {

  @Override
  @SuppressWarnings("unchecked")
  public @Nullable Object run(RankSession session, CollectiveConf conf, Iterator<Object> input) {
    List<Part> parts = source.parts(TaskContext.get().partitionId(), input);
    Combiner combiner = new Combiner(op);
    Concatenator concatenator = new Concatenator();
    concatenator.shapes(parts); // refuses what cannot be divided
    Communicator communicator = session.join(Parts.shapes(combiner, parts));
    if (communicator == null) {
      return null;
    }
    Object sum = Parts.fold(combiner, parts);
    int length = Vector.of(sum).length();
    PartPlan plan = new PartPlan(pieces, op.width(), communicator.size());
    Object own =
        communicator.by(algorithm).reduceScatter(sum, (ReduceOp<Object>) op, plan.counts(length));
    plan.store(own, length, communicator.rank(), base, concatenator, conf.replicas());
    return null;
  }
}
