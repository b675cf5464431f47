package org.sparkcollectives.ml.internal.training;

import java.io.IOException;
import org.apache.spark.ml.linalg.Vector;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.minimizer.Optimizer;
import org.sparkcollectives.ml.internal.objective.RankObjective;
import org.sparkcollectives.ml.internal.state.Checkpoints;
import org.sparkcollectives.ml.internal.state.Origin;

/**
 * A rank's training, once its rows are there: from where states of an earlier attempt or
 * application allow, with vectors whole or divided as in that state.
 */
final class RankTraining {
  private final String training;
  private final Communicator communicator;
  private final RankObjective objective;
  private final Optimizer optimizer;
  private final Vector initial;
  private final String description;
  private final @Nullable Checkpoints checkpoints;
  private final Placing placing;

  /**
   * A rank's training.
   *
   * @param training the name that its states are kept under
   * @param communicator the ranks
   * @param objective what is minimised
   * @param optimizer how
   * @param initial where it starts
   * @param coordinates which coefficients it has, in words; empty for all
   * @param checkpoints where states are kept beyond the application, or null
   * @param placing whether each rank has all of the optimiser's vectors or its part of them
   */
  RankTraining(
      String training,
      Communicator communicator,
      RankObjective objective,
      Optimizer optimizer,
      Vector initial,
      String coordinates,
      @Nullable Checkpoints checkpoints,
      Placing placing) {
    this.training = training;
    this.communicator = communicator;
    this.objective = objective;
    this.optimizer = optimizer;
    this.initial = initial;
    this.description =
        checkpoints == null ? "" : optimizer.description(initial.toArray()) + coordinates;
    this.checkpoints = checkpoints;
    this.placing = placing;
  }

  /**
   * Trains; a collective call, after which states are kept.
   *
   * @return what it has brought: the same on all ranks, or of each its part
   */
  Trained train() throws IOException, ClassNotFoundException {
    Trained trained = fromMemory();
    if (trained == null) {
      trained = fromFolder();
    }
    return trained == null ? fromStart() : trained;
  }

  /** From what an attempt of this application has left, which knows better than a folder. */
  private @Nullable Trained fromMemory() throws IOException, ClassNotFoundException {
    Origin origin = Origin.of(training, communicator);
    if (origin.kind() == Origin.Kind.WHOLE) {
      WholeRun run = whole();
      return run.resume(origin) ? run.train() : null;
    }
    if (origin.kind() == Origin.Kind.DIVIDED) {
      DividedRun run = divided();
      return run.resume() ? run.train() : null;
    }
    return null;
  }

  /** From the newest state in the folder that can be read and is of this training. */
  private @Nullable Trained fromFolder() {
    int most = optimizer.most();
    while (checkpoints != null) {
      Checkpoints.Found found = checkpoints.newest(communicator, most);
      if (found == null) {
        return null;
      }
      Trained trained = from(found, checkpoints);
      if (trained != null) {
        return trained;
      }
      most = found.iteration() - 1;
    }
    return null;
  }

  private @Nullable Trained from(Checkpoints.Found found, Checkpoints folder) {
    if (found.ranks() == 0) {
      WholeRun run = whole();
      return run.resume(found) ? run.train() : null;
    }
    if (optimizer.divisible()) {
      DividedRun run = divided();
      return run.resume(found) ? run.train() : null;
    }
    folder.judged(communicator, training, found, false);
    return null;
  }

  private Trained fromStart() {
    if (placing.divides(communicator, optimizer, initial.size())) {
      DividedRun run = divided();
      run.begin(initial);
      return run.train();
    }
    WholeRun run = whole();
    run.begin(initial);
    return run.train();
  }

  private WholeRun whole() {
    return new WholeRun(training, communicator, objective, optimizer, checkpoints, description);
  }

  private DividedRun divided() {
    int length = initial.size();
    return new DividedRun(
        training, communicator, objective, optimizer, length, checkpoints, description);
  }
}
