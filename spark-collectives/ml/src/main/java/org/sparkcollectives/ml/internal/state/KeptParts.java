package org.sparkcollectives.ml.internal.state;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.bridge.JavaBytes;
import org.sparkcollectives.ml.internal.minimizer.DividedState;
import org.sparkcollectives.ml.internal.minimizer.Division;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;
import org.sparkcollectives.schedule.Topology;

/**
 * Parts of divided states that ranks in this JVM have kept: their own, and copies of those of ranks
 * in another JVM, so that the loss of one of them loses no part. They outlive an attempt that an
 * executor ends, and go when memory is short.
 */
public final class KeptParts {
  private static final Map<String, List<SoftReference<Part>>> KEPT = new ConcurrentHashMap<>();

  /** Numbers that tell which part a part is: iteration, number of ranks, rank. */
  private static final int NAME = 3;

  /**
   * A rank's part of a state.
   *
   * @param ranks among how many ranks the state is divided
   * @param rank whose part it is
   * @param scalars what all ranks know of the state
   * @param objective the objective's history up to it
   * @param vectors the rank's part of each vector
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Part(
      int ranks,
      int rank,
      DividedState.Scalars scalars,
      double[] objective,
      List<double[]> vectors) {}

  private KeptParts() {}

  /**
   * The newest iteration of which there is a part here.
   *
   * @param training whose parts
   * @return the iteration; -1 for none
   */
  public static int newest(String training) {
    return parts(training).stream().mapToInt(part -> part.scalars.iteration).max().orElse(-1);
  }

  /**
   * Keeps a state: each rank its part, and a copy of that of a rank elsewhere. A collective call.
   * An older state stays until {@link #settle}, as another rank may not have this one yet.
   *
   * @param training whose state
   * @param communicator the ranks
   * @param counts how many coefficients each rank has
   * @param own this rank's part
   */
  public static void keep(String training, Communicator communicator, int[] counts, Part own) {
    add(training, own);
    int size = communicator.size();
    int shift = shift(communicator.topology(), size);
    if (shift == 0) {
      return;
    }
    List<double[]> copies = copies(communicator, counts, shift, own.vectors);
    add(training, new Part(size, sender(communicator, shift), own.scalars, own.objective, copies));
  }

  private static int sender(Communicator communicator, int shift) {
    return Math.floorMod(communicator.rank() - shift, communicator.size());
  }

  /**
   * The vectors of the rank some places back, while this one's go as many places on; a collective
   * call. An all-to-all in which no others have anything would take a round for each rank.
   */
  static List<double[]> copies(
      Communicator communicator, int[] counts, int shift, List<double[]> vectors) {
    int rank = communicator.rank();
    int size = communicator.size();
    int sender = sender(communicator, shift);
    BlockRange own = BlockRange.of(0);
    Round round =
        new Round(
            new Send((rank + shift) % size, 0, own),
            new Receive(sender, 0, BlockRange.of(1)),
            List.of());
    Problem problem = new Problem(Collective.ALLGATHER, size, 0, 2, false);
    Schedule schedule = new Schedule(problem, "copy-of-a-state", rank, own, List.of(round));
    int longest = Arrays.stream(counts).max().orElse(0);
    double[] both = new double[2 * longest];
    List<double[]> copies = new ArrayList<>();
    for (double[] vector : vectors) {
      System.arraycopy(vector, 0, both, 0, vector.length);
      communicator.run(schedule, both, null);
      copies.add(Arrays.copyOfRange(both, longest, longest + counts[sender]));
    }
    return copies;
  }

  /**
   * Forgets states before an iteration, which all ranks have kept by now.
   *
   * @param training whose states
   * @param iteration the iteration of the oldest state that stays
   */
  public static void settle(String training, int iteration) {
    List<SoftReference<Part>> kept = KEPT.get(training);
    if (kept != null) {
      kept.removeIf(
          reference -> {
            Part part = reference.get();
            return part == null || part.scalars.iteration < iteration;
          });
    }
  }

  /**
   * Forgets a training that is done, and others whose parts have gone.
   *
   * @param training the one that is done: how the names begin under which it kept its parts
   */
  public static void forget(String training) {
    KEPT.keySet().removeIf(name -> name.startsWith(training));
    KEPT.values().removeIf(kept -> kept.stream().allMatch(reference -> reference.get() == null));
  }

  /**
   * The newest state of which ranks have all parts, divided among the ranks of now; a collective
   * call.
   *
   * @param training whose state
   * @param communicator the ranks
   * @param counts how many coefficients each rank has
   * @return this rank's part; null where there is no such state
   * @throws IOException if what all ranks know of the state cannot be sent
   * @throws ClassNotFoundException if the state has a class that is unknown here
   */
  public static @Nullable Part newestOfAll(String training, Communicator communicator, int[] counts)
      throws IOException, ClassNotFoundException {
    List<Part> own = parts(training);
    int[] names = own.stream().flatMapToInt(KeptParts::name).toArray();
    int[] lengths = communicator.allGather(new int[] {names.length});
    int[] holders = newest(communicator.allGather(names, lengths), lengths);
    if (holders.length == 0) {
      return null;
    }
    int iteration = holders[holders.length - 1];
    int ranks = holders.length - 1;
    Part[] held = new Part[ranks];
    for (Part part : own) {
      if (part.scalars.iteration == iteration && part.ranks == ranks) {
        held[part.rank] = part;
      }
    }
    byte[] bytes = null;
    if (communicator.rank() == holders[0]) {
      Part any = requireNonNull(held[0]);
      bytes = JavaBytes.of(new Object[] {any.scalars, any.objective, any.vectors.size()});
    }
    Object[] common =
        (Object[]) JavaBytes.read(communicator.objects().broadcast(bytes, holders[0]));
    int size = communicator.size();
    int length = Arrays.stream(counts).sum();
    int[] before = Division.counts(length, ranks);
    List<double[]> vectors = new ArrayList<>();
    for (int v = 0; v < (int) common[2]; v++) {
      double[] mine = new double[counts[communicator.rank()]];
      for (int rank = 0; rank < ranks; rank++) {
        Part part = communicator.rank() == holders[rank] ? requireNonNull(held[rank]) : null;
        double[] sent =
            communicator.broadcast(
                part == null ? new double[before[rank]] : part.vectors.get(v), holders[rank]);
        Division.copy(sent, rank, ranks, mine, communicator.rank(), size, length);
      }
      vectors.add(mine);
    }
    return new Part(
        size, communicator.rank(), (DividedState.Scalars) common[0], (double[]) common[1], vectors);
  }

  /**
   * Who has the newest complete state.
   *
   * @param names the names of each rank's parts
   * @param lengths how many numbers of these are each rank's
   * @return the holder of each part, and then the iteration; empty where no state is complete
   */
  static int[] newest(int[] names, int[] lengths) {
    Map<List<Integer>, int[]> states = new HashMap<>();
    int at = 0;
    for (int holder = 0; holder < lengths.length; holder++) {
      for (int end = at + lengths[holder]; at < end; at += NAME) {
        int ranks = names[at + 1];
        int[] holders =
            states.computeIfAbsent(
                List.of(names[at], ranks),
                state -> {
                  int[] nobody = new int[ranks];
                  Arrays.fill(nobody, -1);
                  return nobody;
                });
        int rank = names[at + 2];
        holders[rank] = holders[rank] < 0 ? holder : holders[rank];
      }
    }
    int newest = -1;
    int[] result = {};
    for (Map.Entry<List<Integer>, int[]> state : states.entrySet()) {
      int iteration = state.getKey().get(0);
      int[] holders = state.getValue();
      boolean complete = Arrays.stream(holders).allMatch(holder -> holder >= 0);
      boolean newer =
          iteration > newest || (iteration == newest && holders.length >= result.length);
      if (complete && newer) {
        newest = iteration;
        result = Arrays.copyOf(holders, holders.length + 1);
        result[holders.length] = iteration;
      }
    }
    return result;
  }

  /**
   * How far from each rank the one is that has its copy: the least distance at which fewest pairs
   * share a JVM; 0 where all ranks do.
   */
  static int shift(Topology topology, int size) {
    int best = 0;
    int fewest = size;
    for (int shift = 1; shift < size; shift++) {
      int together = 0;
      for (int rank = 0; rank < size; rank++) {
        together += topology.process(rank) == topology.process((rank + shift) % size) ? 1 : 0;
      }
      if (together < fewest) {
        fewest = together;
        best = shift;
      }
    }
    return best;
  }

  private static IntStream name(Part part) {
    return IntStream.of(part.scalars.iteration, part.ranks, part.rank);
  }

  private static void add(String training, Part part) {
    KEPT.compute(
        training,
        (unused, parts) -> {
          List<SoftReference<Part>> all = parts == null ? new CopyOnWriteArrayList<>() : parts;
          all.add(new SoftReference<>(part)); // before another training may find it empty
          return all;
        });
  }

  private static List<Part> parts(String training) {
    List<Part> parts = new ArrayList<>();
    for (SoftReference<Part> reference : KEPT.getOrDefault(training, List.of())) {
      Part part = reference.get();
      if (part != null) {
        parts.add(part);
      }
    }
    return parts;
  }
}
