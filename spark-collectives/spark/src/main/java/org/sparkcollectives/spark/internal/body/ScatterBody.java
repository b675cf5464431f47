package org.sparkcollectives.spark.internal.body;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.spark.internal.input.Concatenator;
import org.sparkcollectives.spark.internal.input.RankInput;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;
import org.sparkcollectives.spark.internal.result.BlockStore;

/**
 * A rank of a scatter of the driver's array: the first fetches it from the driver, and each stores
 * its parts.
 *
 * @param pieces how many parts the array is cut into
 * @param algorithm its slug, or null for the cheapest
 * @param array the number under which the driver has stored the array
 */
public record ScatterBody(int pieces, @Nullable String algorithm, long array) implements RankBody {
  @Override
  public @Nullable Object run(RankSession session, Iterator<RankInput> input) {
    Communicator communicator = session.joinAll();
    Object whole = communicator.rank() == 0 ? BlockStore.require(array) : null;
    int[] length = {whole == null ? 0 : Vector.of(whole).length()};
    communicator.broadcast(length, 0);
    PartPlan plan = new PartPlan(pieces, 1, communicator.size());
    Object own = communicator.by(algorithm).<Object>scatter(whole, plan.counts(length[0]), 0);
    plan.store(own, length[0], communicator.rank(), session.attempt(), new Concatenator());
    return null;
  }
}
