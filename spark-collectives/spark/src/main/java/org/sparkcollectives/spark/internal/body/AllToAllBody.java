package org.sparkcollectives.spark.internal.body;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.spark.internal.input.Concatenator;
import org.sparkcollectives.spark.internal.input.Part;
import org.sparkcollectives.spark.internal.rendezvous.Attempt;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;

/**
 * A rank of an alltoall: cuts the vector of each of its partitions, and stores for each part that
 * it makes what all vectors have for it, end to end.
 *
 * @param fold puts elements end to end
 * @param pieces how many parts each vector is cut into
 * @param algorithm its slug, or null for the cheapest
 */
public record AllToAllBody(Concatenator fold, int pieces, @Nullable String algorithm)
    implements VectorBody {

  @Override
  public boolean apart() {
    return true;
  }

  @Override
  public @Nullable Object run(Communicator communicator, List<Part> parts, RankSession session) {
    List<FixedVector> own = parts.stream().map(part -> Vector.of(part.operand())).toList();
    PartPlan plan = new PartPlan(pieces, 1, communicator.size());
    int[] ownLengths = PartPlan.lengths(own);
    int[] vectors = communicator.allGather(new int[] {own.size()});
    int[] lengths = communicator.allGather(ownLengths, vectors);
    long all = Arrays.stream(ownLengths).asLongStream().sum();
    FixedVector sent = fold.allocate(own.get(0), all, "rank " + session.partition());
    int[] sendCounts = fill(sent, own, plan);
    FixedVector got = Vector.of(communicator.by(algorithm).allToAll(sent.array(), sendCounts));
    store(got, lengths, plan, communicator.rank(), session.attempt());
    return null;
  }

  /** Writes, for each rank in turn, what each vector has for it; returns how much that is. */
  private static int[] fill(FixedVector sent, List<FixedVector> own, PartPlan plan) {
    int[] counts = new int[plan.ranks()];
    int at = 0;
    for (int rank = 0; rank < plan.ranks(); rank++) {
      int first = at;
      for (FixedVector vector : own) {
        int from = plan.start(vector.length(), plan.first(rank));
        int count = plan.start(vector.length(), plan.first(rank + 1)) - from;
        sent.copy(vector, from, at, count);
        at += count;
      }
      counts[rank] = at - first;
    }
    return counts;
  }

  /** Takes apart what has come: for each vector in turn its elements for all parts of this rank. */
  private void store(FixedVector got, int[] lengths, PartPlan plan, int rank, Attempt attempt) {
    for (int part = plan.first(rank); part < plan.first(rank + 1); part++) {
      int index = part;
      long size =
          Arrays.stream(lengths)
              .mapToLong(l -> plan.start(l, index + 1) - plan.start(l, index))
              .sum();
      FixedVector whole = fold.allocate(got, size, "part " + part);
      int at = 0;
      int begin = 0;
      for (int length : lengths) {
        int held = plan.start(length, plan.first(rank));
        int from = plan.start(length, part);
        int count = plan.start(length, part + 1) - from;
        whole.copy(got, begin + from - held, at, count);
        at += count;
        begin += plan.start(length, plan.first(rank + 1)) - held;
      }
      PartPlan.store(attempt, part, fold.restore(whole.array()));
    }
  }
}
