package org.sparkcollectives.spark.internal.body;

import static java.util.Objects.requireNonNull;

import java.util.Iterator;
import org.apache.spark.api.java.function.Function3;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.spark.internal.input.RankInput;
import org.sparkcollectives.spark.internal.input.SequenceFold;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;
import org.sparkcollectives.vector.ReduceOp;

/**
 * A rank of one step of an iteration: receives the driver's value, aggregates its elements with it,
 * and combines its aggregate with those of the other ranks.
 *
 * @param sent the value
 * @param zero makes the zero of an aggregate
 * @param add adds an element to an aggregate
 * @param combine combines aggregates
 * @param algorithm of the broadcast and of the reduction, or null for the cheapest
 * @param <V> the value's class
 * @param <T> the elements' class
 * @param <U> the aggregates' class
 */
public record StepBody<V, T, U>(
    SentValue sent,
    ReduceOp.SerializableSupplier<U> zero,
    Function3<V, U, T, U> add,
    ReduceOp<? super U> combine,
    @Nullable String algorithm)
    implements RankBody {

  @Override
  public boolean leavesArray() {
    return true;
  }

  @Override
  @SuppressWarnings("unchecked")
  public @Nullable Object run(RankSession session, Iterator<RankInput> input) {
    Communicator communicator = session.joinAll();
    V value = (V) sent.receive(communicator, algorithm);
    SequenceFold<T, U> fold =
        new SequenceFold<>(zero, (sum, element) -> add.call(value, sum, element), combine);
    Object sum = zero.get();
    while (input.hasNext()) {
      RankInput next = input.next();
      sum = requireNonNull(fold.fold(sum, next.partition(), next.elements())); // as zero is
    }
    Object total = communicator.by(algorithm).reduce(sum, fold.op(), 0);
    return communicator.rank() == 0 ? VectorRank.forDriver(session, total) : null;
  }
}
