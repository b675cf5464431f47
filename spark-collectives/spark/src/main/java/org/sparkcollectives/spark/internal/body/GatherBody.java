package org.sparkcollectives.spark.internal.body;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.spark.internal.input.Concatenator;
import org.sparkcollectives.spark.internal.input.Part;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;

/**
 * A rank of a gather or an allgather of all vectors, end to end.
 *
 * @param fold puts elements end to end
 * @param algorithm its slug, or null for the cheapest
 * @param everywhere whether every executor stores the result; otherwise the root returns it
 */
public record GatherBody(Concatenator fold, @Nullable String algorithm, boolean everywhere)
    implements VectorBody {

  @Override
  public boolean apart() {
    return true;
  }

  @Override
  public @Nullable Object run(Communicator communicator, List<Part> parts, RankSession session) {
    List<FixedVector> vectors = parts.stream().map(part -> Vector.of(part.operand())).toList();
    FixedVector own =
        vectors.size() == 1
            ? vectors.get(0)
            : fold.concatenate(vectors, "rank " + session.partition());
    int[] length = {own.length()};
    if (everywhere) {
      int[] lengths = communicator.allGather(length);
      VectorRank.store(session, fold, communicator.by(algorithm).allGather(own.array(), lengths));
      return null;
    }
    int[] lengths = communicator.gather(length, 0); // null but on the root, which tells them
    Object result = communicator.by(algorithm).gather(own.array(), lengths, 0);
    return result == null ? null : VectorRank.forDriver(session, fold, result);
  }
}
