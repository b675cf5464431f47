package org.sparkcollectives.spark;

import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.error.SparkErrors;
import org.sparkcollectives.internal.vector.Vector;
import scala.collection.Iterator;

/**
 * A rank of a scatter of the driver's array: the first fetches it from the driver, and each stores
 * its parts.
 *
 * @param pieces how many parts the array is cut into
 * @param algorithm its slug, or null for the cheapest
 * @param array the number under which the driver has stored the array
 * @param base number under which part 0 is stored; part i adds i
 */
record ScatterBody(int pieces, @Nullable String algorithm, long array, long base)
    implements RankBody {

  @Override
  public @Nullable Object run(RankSession session, CollectiveConf conf, Iterator<Object> input) {
    Communicator communicator = session.join(null);
    if (communicator == null) {
      throw SparkErrors.jobOver();
    }
    boolean sends = communicator.rank() == 0;
    Object whole = sends ? BlockStore.get(array) : null;
    if (sends && whole == null) {
      throw SparkErrors.valueLost("broadcast " + array);
    }
    int[] length = {whole == null ? 0 : Vector.of(whole).length()};
    communicator.broadcast(length, 0);
    PartPlan plan = new PartPlan(pieces, 1, communicator.size());
    Object own = communicator.by(algorithm).<Object>scatter(whole, plan.counts(length[0]), 0);
    plan.store(own, length[0], communicator.rank(), base, new Concatenator(), conf.replicas());
    return null;
  }
}
