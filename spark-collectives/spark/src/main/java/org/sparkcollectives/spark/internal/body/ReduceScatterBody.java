package org.sparkcollectives.spark.internal.body;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.spark.internal.input.Combiner;
import org.sparkcollectives.spark.internal.input.Part;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;

/**
 * A rank of a reduce-scatter: stores its parts of the combination of all vectors.
 *
 * @param fold combines elements that have parts
 * @param pieces how many parts the result is cut into
 * @param algorithm its slug, or null for the cheapest
 */
public record ReduceScatterBody(Combiner fold, int pieces, @Nullable String algorithm)
    implements VectorBody {
  @Override
  public boolean ordered() {
    return !fold.op().commutative();
  }

  @Override
  public @Nullable Object run(Communicator communicator, List<Part> parts, RankSession session) {
    Object sum = parts.get(0).operand();
    int length = Vector.of(sum).length();
    PartPlan plan = new PartPlan(pieces, fold.op().width(), communicator.size());
    Object own = communicator.by(algorithm).reduceScatter(sum, fold.op(), plan.counts(length));
    plan.store(own, length, communicator.rank(), session.attempt(), fold);
    return null;
  }
}
