package org.sparkcollectives.internal.calibrate;

import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.cost.Provenance;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.schedule.Level;
import org.sparkcollectives.schedule.Topology;

/**
 * A cost model that was measured between ranks, by operations as they are used, and what it was
 * fitted to; with uplinks where hosts are in racks that are known. Levels that the ranks do not
 * have between them, contention, and whether cards are full-duplex keep the numbers of {@link
 * CostModel#DEFAULT}.
 *
 * @param model the model; its provenance names the levels that were not measured
 * @param samples what was measured, level by level
 */
public record Calibration(CostModel model, List<Sample> samples) {
  private static final int WARM_UPS = 1500;
  private static final Duration BUDGET = Duration.ofMillis(1500);

  /**
   * A measured time beside that of the model.
   *
   * @param level how far apart the ranks were
   * @param operation what they did
   * @param bytes the payload of its messages
   * @param nanos the median time of a message: of an allreduce per round, of an all-to-all per
   *     further peer, of a ping-pong half of it
   * @param fittedNanos the same by the model
   */
  public record Sample(
      Level level, String operation, long bytes, double nanos, double fittedNanos) {}

  /**
   * Copies the list.
   *
   * @param model the model; its provenance names the levels that were not measured
   * @param samples what was measured, level by level
   */
  public Calibration {
    samples = List.copyOf(samples);
  }

  /**
   * Measures; all ranks call it, and all get the same. It takes up to ten seconds per level, and
   * longer where a message of 2 MiB takes more than a tenth of a second.
   *
   * @param communicator this rank's, of at least 2 ranks
   * @param command how the numbers can be had again, of which rank 0's counts
   * @return the model and what was measured
   * @throws InvalidInputException if there is one rank only
   */
  public static Calibration measure(Communicator communicator, String command) {
    return measure(communicator, command, step -> {});
  }

  /**
   * As {@link #measure(Communicator, String)}, and tells how far it is.
   *
   * @param communicator this rank's, of at least 2 ranks
   * @param command how the numbers can be had again, of which rank 0's counts
   * @param progress is told each step as it begins, and each level's numbers; a line each
   * @return the model and what was measured
   * @throws InvalidInputException if there is one rank only
   */
  public static Calibration measure(
      Communicator communicator, String command, Consumer<String> progress) {
    Stopwatch stopwatch = new Stopwatch(communicator, WARM_UPS, BUDGET, System::nanoTime);
    return measure(communicator, command, stopwatch, progress);
  }

  /** Measures by a stopwatch of the caller's. */
  static Calibration measure(
      Communicator communicator, String command, Timing timing, Consumer<String> progress) {
    int size = communicator.size();
    if (size < 2) {
      throw new InvalidInputException(
          "communication cannot be measured: messages are measured between two ranks, and there is"
              + " one. Give the group at least 2 ranks.",
          null);
    }
    String own =
        String.format(
            Locale.ROOT,
            "rank 0 on %s %s, %s, %d cores",
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            System.getProperty("os.arch"),
            Runtime.getRuntime().availableProcessors());
    String machine = ofRankZero(communicator, own);
    String date = ofRankZero(communicator, LocalDate.now(ZoneOffset.UTC).toString());
    String again = ofRankZero(communicator, command);
    return measure(
        communicator.topology(), size, timing, new Provenance(machine, date, again), progress);
  }

  /** A text of rank 0, on all ranks. */
  private static String ofRankZero(Communicator communicator, String own) {
    int[] length = {own.length()};
    communicator.broadcast(length, 0);
    int[] letters = Arrays.copyOf(own.chars().toArray(), length[0]);
    communicator.broadcast(letters, 0);
    StringBuilder text = new StringBuilder();
    for (int letter : letters) {
      text.append((char) letter);
    }
    return text.toString();
  }

  /** Measures what ranks of a topology have between them. */
  static Calibration measure(
      Topology topology,
      int size,
      Timing timing,
      Provenance provenance,
      Consumer<String> progress) {
    Map<Level, LevelCost> costs = new EnumMap<>(Level.class);
    List<Sample> samples = new ArrayList<>();
    for (LevelGroups groups : LevelGroups.of(topology, size)) {
      LevelTrials trials = LevelTrials.run(groups, timing, progress);
      LevelCost cost = trials.cost();
      progress.accept(text(groups.level(), cost));
      costs.put(groups.level(), cost);
      samples.addAll(trials.samples(cost));
    }
    double uplink = topology.hasRacks() ? Uplink.nanosPerByte(topology, size, timing, progress) : 0;
    progress.accept("combining vectors");
    List<String> missing =
        Arrays.stream(Level.values())
            .filter(level -> !costs.containsKey(level))
            .map(Level::slug)
            .toList();
    CostModel known = CostModel.DEFAULT;
    String measured =
        size
            + " ranks; "
            + (missing.isEmpty()
                ? ""
                : "built-in, not measured: " + String.join(", ", missing) + "; ")
            + provenance.machine();
    CostModel model =
        new CostModel(
            costs.getOrDefault(Level.PROCESS, known.process()),
            costs.getOrDefault(Level.HOST, known.host()),
            costs.getOrDefault(Level.NETWORK, known.network()),
            timing.combiningNanosPerByte(),
            known.fullDuplex(),
            known.contention(),
            uplink,
            new Provenance(measured, provenance.date(), provenance.command()));
    return new Calibration(model, samples);
  }

  /**
   * The cost of a level for people.
   *
   * @param level the level
   * @param cost its cost
   * @return a line without its end
   */
  public static String text(Level level, LevelCost cost) {
    return String.format(
        Locale.ROOT,
        "%-8s α = %.1f µs, β = %.3f ns per byte, gap = %.1f µs",
        level.slug() + ":",
        cost.alphaNanos() / 1e3,
        cost.betaNanosPerByte(),
        cost.gapNanos() / 1e3);
  }
}
