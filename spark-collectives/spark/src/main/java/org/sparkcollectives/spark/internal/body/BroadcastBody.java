package org.sparkcollectives.spark.internal.body;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.spark.internal.input.RankInput;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;
import org.sparkcollectives.spark.internal.rendezvous.Turn;
import org.sparkcollectives.spark.internal.result.BlockStore;

/**
 * A rank of a broadcast of the driver's value: the first fetches it from the driver, and each
 * stores it for its executor.
 *
 * @param algorithm its slug, or null for the cheapest
 * @param broadcast the number under which the value is stored
 */
public record BroadcastBody(@Nullable String algorithm, long broadcast) implements RankBody {
  @Override
  public @Nullable Object run(RankSession session, Iterator<RankInput> input) {
    if (!(session.join(null, null) instanceof Turn.Member member)) {
      return null;
    }
    Communicator communicator = member.communicator();
    Object own = communicator.rank() == 0 ? BlockStore.require(broadcast) : null;
    Object value = communicator.by(algorithm).objects().<Object>broadcast(own, 0);
    if (!BlockStore.holds(broadcast)) {
      BlockStore.put(broadcast, value, 1);
    }
    return null;
  }
}
