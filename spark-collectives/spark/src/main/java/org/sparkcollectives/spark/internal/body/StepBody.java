package org.sparkcollectives.spark.internal.body;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.Function3;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.input.Combiner;
import org.sparkcollectives.spark.internal.input.Part;
import org.sparkcollectives.spark.internal.input.RankInput;
import org.sparkcollectives.spark.internal.input.SequenceFold;
import org.sparkcollectives.spark.internal.rendezvous.Attempt;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;
import org.sparkcollectives.spark.internal.rendezvous.RendezvousErrors;
import org.sparkcollectives.vector.ReduceOp;

/**
 * A rank of one step of an iteration: receives the driver's value, aggregates its elements with it,
 * and combines its aggregate with those of the other ranks. One rank of each executor receives the
 * value, and the others read it there.
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
  @SuppressWarnings("unchecked")
  public @Nullable Object run(RankSession session, Iterator<RankInput> input) {
    Mates mates = Mates.of(session); // held from before the others can need it
    Communicator all = session.joinAll();
    boolean first = session.firstOfExecutor();
    boolean shared = !session.onePerExecutor();
    @Nullable Communicator executors = shared ? all.split(first ? 0 : -1, all.rank()) : all;
    V value;
    if (executors != null) {
      value = (V) sent.receive(executors, algorithm);
      mates.value().complete(value);
    } else {
      value = (V) session.await(mates.value());
    }
    SequenceFold<T, U> fold =
        new SequenceFold<>(zero, (sum, element) -> add.call(value, sum, element), combine);
    List<Part> folded = VectorRank.together(fold, input);
    int partition = session.partition();
    Part own = folded.isEmpty() ? new Part(partition, fold.ofNone(partition)) : folded.get(0);
    requireSize(own, fold, session.attempt());
    if (shared && Mates.combine(session, fold, session.executorsInOrder())) {
      List<Part> ofExecutor = mates.sum(session, List.of(own), fold);
      return executors == null
          ? null
          : reduce(executors, combined(ofExecutor, fold), fold, session);
    }
    return reduce(all, own.operand(), fold, session);
  }

  /** Ranks have met already, where the size of what they bring is looked at otherwise. */
  private static void requireSize(Part own, Combiner fold, Attempt attempt) {
    long bytes = fold.shape(own).bytes();
    long most = attempt.conf().get(Settings.MAX_BYTES);
    if (bytes > most) {
      throw RendezvousErrors.vectorTooLarge(attempt.operation(), own.partition(), bytes, most);
    }
  }

  /** The only operand; where there are several, they cannot be combined, which is an error. */
  private static Object combined(List<Part> operands, Combiner fold) {
    return operands.stream().reduce(fold::combine).orElseThrow().operand();
  }

  private @Nullable Object reduce(
      Communicator communicator, Object sum, Combiner fold, RankSession session) {
    Object total = communicator.by(algorithm).reduce(sum, fold.op(), 0);
    return communicator.rank() == 0 ? VectorRank.forDriver(session, fold, total) : null;
  }
}
