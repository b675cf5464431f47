package org.sparkcollectives.benchmarks.ml;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.sparkcollectives.benchmarks.cluster.Traffic;
import org.sparkcollectives.benchmarks.report.Summary;

/**
 * What one contender's trainings have shown.
 *
 * @param setting what was trained where
 * @param trainer by whom
 * @param runs the trainings that count, at least one
 * @param live memory of one before these
 */
record Trained(Setting setting, Trainer trainer, List<Run> runs, Memory.Live live) {
  private static final double MEBIBYTE = 1 << 20;

  /** From vectors of 10⁵ numbers on, memory is told in vectors too. */
  private static final long LONG_BYTES = 100_000 * Double.BYTES;

  /**
   * A training that counts.
   *
   * @param micros from the call until there is a model
   * @param pace what its iterations took
   * @param iterations how many there were
   * @param coefficients what it has found
   * @param driver bytes at the driver's network card
   * @param reached how full heaps have been at most, garbage included
   */
  record Run(
      double micros,
      Pace pace,
      int iterations,
      Coefficients coefficients,
      Traffic driver,
      Memory.Bytes reached) {}

  /** Its name in tables. */
  String name() {
    return trainer.title() + ", " + setting.problem().name();
  }

  /** The last training. */
  Run last() {
    return runs.get(runs.size() - 1);
  }

  /** A number of each training. */
  List<Double> each(ToDoubleFunction<Run> number) {
    return runs.stream().map(number::applyAsDouble).toList();
  }

  /** The median of a number of trainings. */
  double median(ToDoubleFunction<Run> number) {
    return Summary.of(each(number)).median();
  }

  /** Trainings' time of an iteration. */
  static double perIteration(Run run) {
    return run.pace().micros();
  }

  /** What the driver's network card carried in a training, both ways. */
  static double driverBytes(Run run) {
    return run.driver().sent() + run.driver().received();
  }

  /**
   * How many times the least possible time an iteration takes: that of its allreduces, of the
   * numbers that they carry, by the network cards and that of rank 0's own rows. NaN where there
   * are no cards, or where neither was measured.
   */
  double overLeast() {
    boolean measured = runs.stream().allMatch(run -> run.pace().computingMillis() > 0);
    return measured && !Double.isNaN(setting.bytesPerSecond())
        ? median(run -> run.pace().micros() / 1e3 / least(run.pace()))
        : Double.NaN;
  }

  private double least(Pace pace) {
    return setting.leastMillis(pace.evaluations(), numbers(pace)) + pace.computingMillis();
  }

  /** How many numbers its allreduces carry: all where it does not say. */
  private long numbers(Pace pace) {
    return pace.numbers() > 0 ? pace.numbers() : setting.numbers();
  }

  /** By how much its memory exceeds what it held before, at the driver. */
  long driverLive() {
    return live.most().driver();
  }

  /** How many vectors of all coefficients so much memory is. */
  double vectors(long memory) {
    return (double) memory / setting.bytes();
  }

  /** Iterations, what these are made of, and how near its coefficients are to another's. */
  String iterations(Trained base) {
    Pace pace = last().pace();
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%d iterations; coefficients differ by %.1e from the first contender's",
            last().iterations(),
            last().coefficients().differenceTo(base.last().coefficients())));
    if (pace.iterations() < Pace.FEW) {
      text.append("; TOO FEW iterations for the time of one: ").append(pace.iterations());
    }
    if (pace.evaluations() > 0) {
      text.append(
          String.format(Locale.ROOT, "; an iteration evaluates %.2f times", pace.evaluations()));
    }
    if (pace.computingMillis() > 0) {
      text.append(
          String.format(
              Locale.ROOT,
              ", %.1f ms for a rank's rows and %.1f ms with other ranks",
              pace.computingMillis(),
              pace.communicatingMillis()));
    }
    if (!Double.isNaN(overLeast())) {
      text.append(
          String.format(
              Locale.ROOT,
              ", where allreduces of %d numbers take %.1f ms at least: %.2f times that and the rows"
                  + " (median)",
              numbers(pace),
              setting.leastMillis(pace.evaluations(), numbers(pace)),
              overLeast()));
    }
    return text.toString();
  }

  /** What was in use at most, and how full heaps have been. */
  String memory() {
    return String.format(
        Locale.ROOT,
        "in use at most, driver: %s; executors: %s; heaps with garbage reached at most %.0f MiB and,"
            + " of the fullest executor, %.0f MiB",
        live(live.idle().driver(), live.most().driver()),
        live.most().executors().stream()
            .map(most -> live(live.idle().fullest(), most))
            .collect(Collectors.joining(", ")),
        last().reached().driver() / MEBIBYTE,
        last().reached().fullest() / MEBIBYTE);
  }

  private String live(long idle, long most) {
    String vectors =
        setting.bytes() < LONG_BYTES
            ? ""
            : String.format(Locale.ROOT, " (%.1f vectors)", vectors(most));
    return String.format(
        Locale.ROOT, "%.0f MiB above %.0f%s", most / MEBIBYTE, idle / MEBIBYTE, vectors);
  }
}
