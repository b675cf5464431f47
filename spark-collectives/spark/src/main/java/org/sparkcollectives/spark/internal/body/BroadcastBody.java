package org.sparkcollectives.spark.internal.body;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.input.RankInput;
import org.sparkcollectives.spark.internal.rendezvous.RankRole;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;
import org.sparkcollectives.spark.internal.result.BlockStore;

/**
 * A rank of a broadcast of the driver's value: the first fetches it from the driver, and each
 * stores it for its executor.
 *
 * @param algorithm its slug, or null for the cheapest
 * @param value the value, and the number under which it is stored
 */
public record BroadcastBody(@Nullable String algorithm, SentValue value) implements RankBody {
  @Override
  public @Nullable Object run(RankSession session, Iterator<RankInput> input) {
    if (!(session.join(null, null) instanceof RankRole.Member member)) {
      return null;
    }
    Object received = value.receive(member.communicator(), algorithm);
    session.requireRunning(); // nobody would remove what is stored when the call has failed
    if (!BlockStore.holds(value.block())) {
      BlockStore.put(value.block(), received, 1);
    }
    return null;
  }
}
