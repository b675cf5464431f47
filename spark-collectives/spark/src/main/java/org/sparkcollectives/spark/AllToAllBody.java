package org.sparkcollectives.spark;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.Vector;
import scala.collection.Iterator;

/**
 * A rank of an alltoall: cuts the vector of each of its partitions, and stores for each part that
 * it makes what all vectors have for it, end to end.
 *
 * @param source makes vectors of the input
 * @param pieces how many parts each vector is cut into
 * @param algorithm its slug, or null for the cheapest
 * @param base number under which part 0 is stored; part i adds i
 */
record AllToAllBody(VectorSource source, int pieces, @Nullable String algorithm, long base)
    implements RankBody {

  @Override
  public @Nullable Object run(RankSession session, CollectiveConf conf, Iterator<Object> input) {
    List<Part> parts = source.parts(TaskContext.get().partitionId(), input);
    Concatenator concatenator = new Concatenator();
    Communicator communicator = session.join(concatenator.shapes(parts));
    if (communicator == null) {
      return null;
    }
    List<FixedVector> own = concatenator.vectors(parts);
    PartPlan plan = new PartPlan(pieces, 1, communicator.size());
    int[] ownLengths = PartPlan.lengths(own);
    int[] vectors = communicator.allGather(new int[] {own.size()});
    int[] lengths = communicator.allGather(ownLengths, vectors);
    long all = Arrays.stream(ownLengths).asLongStream().sum();
    FixedVector sent = concatenator.allocate(own.get(0), all, "rank " + communicator.rank());
    int[] sendCounts = fill(sent, own, plan);
    FixedVector got = Vector.of(communicator.by(algorithm).allToAll(sent.array(), sendCounts));
    store(got, lengths, plan, communicator.rank(), concatenator, conf.replicas());
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
  private void store(
      FixedVector got,
      int[] lengths,
      PartPlan plan,
      int rank,
      Concatenator concatenator,
      int replicas) {
    for (int part = plan.first(rank); part < plan.first(rank + 1); part++) {
      int index = part;
      long size =
          Arrays.stream(lengths)
              .mapToLong(l -> plan.start(l, index + 1) - plan.start(l, index))
              .sum();
      FixedVector whole = concatenator.allocate(got, size, "part " + part);
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
      PartPlan.store(base + part, concatenator.restore(whole.array()), replicas);
    }
  }
}
