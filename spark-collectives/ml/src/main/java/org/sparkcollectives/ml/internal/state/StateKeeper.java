package org.sparkcollectives.ml.internal.state;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.Serial;
import java.io.Serializable;
import java.lang.ref.SoftReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.bridge.JavaBytes;

/**
 * What a rank keeps of a training: its newest state, by reference, and, where there is a folder,
 * states of rank 0 in it. An attempt goes on from the newest state that any rank has, another
 * application from the newest in the folder. States that are kept do not change.
 *
 * @param <S> the states' class
 */
public final class StateKeeper<S extends StateKeeper.Kept> {
  /** The newest state of each training of this JVM; those that failed for good go with time. */
  private static final Map<String, SoftReference<Kept>> NEWEST = new ConcurrentHashMap<>();

  private final Communicator communicator;
  private final String training;
  private final String description;
  private final @Nullable Checkpoints checkpoints;

  /** A state. */
  public interface Kept extends Serializable {
    /**
     * How many iterations have led to it.
     *
     * @return the iteration; 0 for the start
     */
    int iteration();
  }

  /** A state in a folder. */
  private static final class Written implements Serializable {
    @Serial private static final long serialVersionUID = 1L;
    private final String description;
    private final Kept state;

    Written(String description, Kept state) {
      this.description = description;
      this.state = state;
    }
  }

  /**
   * Keeps the states of a training.
   *
   * @param communicator the ranks
   * @param training a name that no other training has
   * @param description what else than its data and its start makes a state one of this training
   * @param checkpoints where states are kept beyond the application, or null
   */
  public StateKeeper(
      Communicator communicator,
      String training,
      String description,
      @Nullable Checkpoints checkpoints) {
    this.communicator = communicator;
    this.training = training;
    this.description = description;
    this.checkpoints = checkpoints;
  }

  /**
   * The state to go on from; a collective call.
   *
   * @param most the most iterations that a state in a folder may have; rank 0's counts
   * @param same whether a state of this description is of the same data and start: a collective
   *     question, with the same answer on all ranks
   * @return the state, or null to start
   * @throws IOException if what an attempt of this application has kept cannot be read
   * @throws ClassNotFoundException if a state has a class that is unknown here
   */
  @SuppressWarnings("unchecked")
  public @Nullable S newest(int most, Predicate<S> same)
      throws IOException, ClassNotFoundException {
    Kept own = own();
    int[] all = communicator.allGather(new int[] {own == null ? -1 : own.iteration()});
    int holder = 0;
    for (int rank = 1; rank < communicator.size(); rank++) {
      holder = all[rank] > all[holder] ? rank : holder;
    }
    if (all[holder] >= 0) { // who knows better than a folder
      boolean sends = communicator.rank() == holder;
      byte[] bytes = sends ? SentState.of(training, requireNonNull(own)) : null;
      byte[] received = SentState.received(communicator, bytes, holder);
      if (received.length > 0) {
        return (S) JavaBytes.read(received);
      }
    }
    return checkpoints == null ? null : newest(checkpoints, most, same);
  }

  /**
   * The newest state in the folder that can be read and is of this training; others are removed.
   * Records, whose components Java finds by their names, are read from files of other versions of
   * their classes without a word: one that does not know its iteration is none of this one.
   */
  private @Nullable S newest(Checkpoints folder, int most, Predicate<S> same) {
    Checkpoints.Found found = folder.newest(communicator, most);
    while (found != null) {
      byte[] received = folder.read(communicator, found);
      if (received.length > 0) {
        S state = described(received);
        boolean known = state != null && state.iteration() == found.iteration();
        boolean fits = known && same.test(requireNonNull(state));
        folder.judged(communicator, training, found, fits);
        if (fits) {
          return state;
        }
      }
      found = folder.newest(communicator, found.iteration() - 1);
    }
    return null;
  }

  /** What a file of states holds, if it is of this kind and description. */
  @SuppressWarnings("unchecked")
  private @Nullable S described(byte[] file) {
    Written written = JavaBytes.readIf(Written.class, file);
    return written != null && written.description.equals(description) ? (S) written.state : null;
  }

  /**
   * Keeps a state, which comes after those that were kept.
   *
   * @param state the state
   */
  public void keep(S state) {
    NEWEST.put(training, new SoftReference<>(state));
    if (checkpoints != null && checkpoints.due(state.iteration())) {
      write(state);
    }
  }

  /**
   * Ends the training; a collective call, until which another rank may need a state.
   *
   * @param last the last state, which is written unless it has been
   */
  public void end(S last) {
    if (checkpoints != null && last.iteration() > 0 && !checkpoints.due(last.iteration())) {
      write(last);
    }
    communicator.barrier();
    NEWEST.remove(training);
    NEWEST.values().removeIf(reference -> reference.get() == null);
  }

  private @Nullable Kept own() {
    SoftReference<Kept> reference = NEWEST.get(training);
    return reference == null ? null : reference.get();
  }

  private void write(S state) {
    if (communicator.rank() == 0) {
      requireNonNull(checkpoints).write(state.iteration(), new Written(description, state));
    }
  }
}
