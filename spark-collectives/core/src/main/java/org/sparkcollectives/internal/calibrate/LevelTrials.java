package org.sparkcollectives.internal.calibrate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.internal.calibrate.Calibration.Sample;
import org.sparkcollectives.internal.cost.LineFit;

/**
 * All trials of a level, in turns, so that whatever else the machines do falls on all alike, and
 * the cost that explains them. Within hosts each pass is on another host, as far as there are
 * several, while all others rest.
 */
final class LevelTrials {
  private static final int PASSES = 3;

  /** The payloads that β is fitted to: more than what an idle network card lets pass at once. */
  private static final long[] LONG = {256 << 10, 512 << 10, 1 << 20, 2 << 20};

  private final LevelGroups groups;
  private final Times allReduce;

  /** Null where nobody has a further peer. */
  private final @Nullable Times allToAll;

  private final List<Times> pingPongs;

  /** What a trial took, pass by pass. */
  private static final class Times {
    /** By all groups at once. */
    final Trial trial;

    private final List<Trial> passes;
    private double[] nanos = new double[0];

    Times(LevelGroups groups, Function<LevelGroups, Trial> trial) {
      this.trial = trial.apply(groups);
      List<LevelGroups> hosts = groups.hostByHost();
      this.passes =
          IntStream.range(0, PASSES)
              .mapToObj(pass -> trial.apply(hosts.get(pass * hosts.size() / PASSES)))
              .toList();
    }

    Trial inPass(int pass) {
      return passes.get(pass);
    }

    void add(double[] more) {
      nanos = DoubleStream.concat(Arrays.stream(nanos), Arrays.stream(more)).toArray();
    }

    double median() {
      return LevelFit.median(nanos);
    }
  }

  private LevelTrials(LevelGroups groups) {
    this.groups = groups;
    this.allReduce = new Times(groups, Trial::allReduce);
    this.allToAll = groups.members() > 2 ? new Times(groups, Trial::allToAll) : null;
    this.pingPongs =
        Arrays.stream(LONG)
            .mapToObj(bytes -> new Times(groups, some -> Trial.pingPong(some, bytes)))
            .toList();
  }

  /**
   * Does the trials.
   *
   * @param groups the ranks of a level
   * @param timing tells how long they take
   * @param progress is told each step as it begins
   * @return their times
   */
  static LevelTrials run(LevelGroups groups, Timing timing, Consumer<String> progress) {
    LevelTrials trials = new LevelTrials(groups);
    progress.accept(
        String.format(
            Locale.ROOT,
            "messages at level %s, groups of %d ranks: warm-up",
            groups.level().slug(),
            groups.members()));
    trials.warmUp(timing);
    for (int pass = 0; pass < PASSES; pass++) {
      progress.accept(
          String.format(
              Locale.ROOT,
              "messages at level %s: pass %d of %d",
              groups.level().slug(),
              pass + 1,
              PASSES));
      trials.allReduce.add(timing.ofMany(trials.allReduce.inPass(pass)));
      if (trials.allToAll != null) {
        trials.allToAll.add(timing.ofMany(trials.allToAll.inPass(pass)));
      }
      for (Times times : trials.pingPongs) {
        times.add(timing.ofFew(times.inPass(pass)));
      }
    }
    return trials;
  }

  private void warmUp(Timing timing) {
    timing.warmUp(allReduce.trial);
    if (allToAll != null) {
      timing.warmUp(allToAll.trial);
    }
    timing.ofFew(pingPongs.get(0).trial);
  }

  /** α, β and the gap. */
  LevelCost cost() {
    return LevelFit.of(message(), further(), messages());
  }

  /** The medians beside what a cost makes of them. */
  List<Sample> samples(LevelCost cost) {
    List<Sample> samples = new ArrayList<>();
    samples.add(sample(allReduce, message(), arrives(cost, Trial.SHORT)));
    if (allToAll != null) {
      samples.add(sample(allToAll, further(), cost.occupiedNanos(Trial.SHORT, 1)));
    }
    for (Times times : pingPongs) {
      samples.add(sample(times, times.median() / 2, arrives(cost, (double) times.trial.bytes())));
    }
    return samples;
  }

  private Sample sample(Times times, double nanos, double fitted) {
    Trial trial = times.trial;
    return new Sample(groups.level(), trial.operation(), trial.bytes(), nanos, fitted);
  }

  /** Of an allreduce, the time per message that waits for another. */
  private double message() {
    int ranks = allReduce.trial.groups().members(); // a power of two
    return allReduce.median() / (2 * Integer.numberOfTrailingZeros(ranks));
  }

  /** What every peer after the first one adds to an all-to-all. */
  private double further() {
    return allToAll == null
        ? Double.NaN
        : (allToAll.median() - message()) / (allToAll.trial.groups().members() - 2);
  }

  private List<LineFit.Point> messages() {
    return pingPongs.stream()
        .map(times -> new LineFit.Point((double) times.trial.bytes(), times.median() / 2))
        .toList();
  }

  /** When a message has arrived. */
  private static double arrives(LevelCost cost, double bytes) {
    return cost.occupiedNanos(bytes, 1) + cost.latencyNanos(bytes, 1);
  }
}
