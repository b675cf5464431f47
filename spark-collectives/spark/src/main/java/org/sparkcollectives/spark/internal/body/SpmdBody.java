package org.sparkcollectives.spark.internal.body;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.spark.CollectiveFunction;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.input.RankInput;
import org.sparkcollectives.spark.internal.rendezvous.Attempt;
import org.sparkcollectives.spark.internal.rendezvous.RankProgress;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;
import org.sparkcollectives.spark.internal.result.BlockStore;

/**
 * A rank of a user's program; its results are stored on its executor, as the part of its number.
 *
 * @param function the program
 * @param <T> the class of the RDD's elements
 * @param <R> the class of the results
 */
public record SpmdBody<T, R>(CollectiveFunction<T, R> function) implements RankBody {

  @Override
  @SuppressWarnings("unchecked")
  public @Nullable Object run(RankSession session, Iterator<RankInput> input) throws Exception {
    Communicator communicator = session.joinAll();
    List<R> list = new ArrayList<>();
    RankProgress progress = session.progress();
    try {
      @Nullable Iterator<R> results =
          function.call(communicator, (Iterator<T>) RankInput.elements(input));
      if (results == null) {
        throw nullResults(communicator.rank());
      }
      results.forEachRemaining(list::add);
    } finally {
      progress.close();
    }
    session.requireRunning(); // nobody would remove what a program stores that goes on for itself
    Attempt attempt = session.attempt();
    int replicas = attempt.conf().get(Settings.REPLICAS);
    BlockStore.putPart(attempt.results(), session.partition(), list.toArray(), replicas);
    return null;
  }

  private static InvalidInputException nullResults(int rank) {
    return InvalidInputException.of(
        "collectively's function returned null on rank " + rank,
        "it must return an iterator over the rank's results",
        "return an empty iterator where a rank has none");
  }
}
