package org.sparkcollectives.benchmarks.spark;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.sparkcollectives.benchmarks.report.Measurement;
import org.sparkcollectives.benchmarks.report.Summary;
import org.sparkcollectives.benchmarks.report.Tables;
import org.sparkcollectives.benchmarks.report.Volume;

/**
 * Contenders on the same vectors, taking turns: a round runs each of them once, in an order drawn
 * anew, and between two of them the cluster has time to finish what the first has left behind. The
 * first rounds warm up and do not count.
 */
final class Comparison {
  private static final long TIDY_MILLIS = 100;
  private static final long PAUSE_MILLIS = 50;
  private static final double SUM_TOLERANCE = 1e-12;

  private final int executors;
  private final List<Contender> contenders;
  private final Consumer<String> progress;
  private final List<Measurement> measurements = new ArrayList<>();
  private final List<Volume> volumes = new ArrayList<>();
  private final Map<String, String> findings = new LinkedHashMap<>();

  /**
   * Prepares a comparison.
   *
   * @param executors number of the application's executors, of one core each
   * @param contenders who takes part
   * @param progress takes a line whenever something is done
   */
  Comparison(int executors, List<Contender> contenders, Consumer<String> progress) {
    this.executors = executors;
    this.contenders = List.copyOf(contenders);
    this.progress = progress;
  }

  /**
   * Rounds that do not count, before any others: they let the JVMs of driver and executors compile
   * what a job takes, as they have done in any application that runs for minutes.
   *
   * @param vectors what is summed, short
   * @param rounds number of rounds
   */
  void warmUp(Vectors vectors, int rounds) {
    for (int round = 0; round < rounds; round++) {
      for (Contender contender : contenders) {
        contender.run(vectors);
      }
      tidy();
    }
    progress.accept(rounds + " rounds on short vectors have warmed up the JVMs");
  }

  /**
   * Rounds over vectors of one size.
   *
   * @param vectors what is summed
   * @param warmUp number of rounds that do not count
   * @param rounds number of rounds that count
   */
  void measure(Vectors vectors, int warmUp, int rounds) {
    String setting = setting(vectors.bytes(), vectors.partitions());
    List<Contender> turn =
        new ArrayList<>(contenders.stream().filter(c -> c.takes(vectors, executors)).toList());
    if (turn.isEmpty()) {
      String names = contenders.stream().map(Contender::name).collect(joining(", "));
      progress.accept(setting + " are left out: none of " + names + " takes them");
      return;
    }
    Map<Contender, List<Contender.Run>> runs = new LinkedHashMap<>();
    turn.forEach(contender -> runs.put(contender, new ArrayList<>()));
    Random random = new Random();
    for (int round = 0; round < warmUp + rounds; round++) {
      Collections.shuffle(turn, random);
      for (Contender contender : turn) {
        sleep(PAUSE_MILLIS);
        Contender.Run run = contender.run(vectors);
        if (round >= warmUp) {
          runs.computeIfAbsent(contender, c -> new ArrayList<>()).add(run);
        }
      }
      progress.accept(
          setting
              + (round < warmUp
                  ? ", warm-up " + (round + 1) + " of " + warmUp
                  : ", round " + (round - warmUp + 1) + " of " + rounds));
      tidy();
    }
    runs.forEach((contender, list) -> record(contender, vectors, list));
    checkSums(setting, runs);
    noteFingerprints(setting, runs);
  }

  /** What vectors are measured, for people. */
  static String setting(long bytes, int partitions) {
    return Tables.bytes(bytes) + " vectors in " + partitions + " partitions";
  }

  /** Between rounds: the driver's garbage goes, and with it what Spark keeps for its sake. */
  private static void tidy() {
    System.gc();
    sleep(TIDY_MILLIS);
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted between rounds", e);
    }
  }

  /** The samples so far. */
  List<Measurement> measurements() {
    return List.copyOf(measurements);
  }

  /** What the driver's network card carried so far. */
  List<Volume> volumes() {
    return List.copyOf(volumes);
  }

  /** What was found besides times, by name. */
  Map<String, String> findings() {
    return Collections.unmodifiableMap(findings);
  }

  private void record(Contender contender, Vectors vectors, List<Contender.Run> runs) {
    Map<String, List<Double>> samples = new LinkedHashMap<>();
    for (Contender.Run run : runs) {
      run.nanos()
          .forEach(
              (quantity, nanos) ->
                  samples.computeIfAbsent(quantity, q -> new ArrayList<>()).add(nanos / 1e3));
    }
    samples.forEach(
        (quantity, micros) ->
            measurements.add(
                new Measurement(
                    contender.name(),
                    executors,
                    vectors.partitions(),
                    vectors.bytes(),
                    quantity,
                    micros)));
    volumes.add(
        new Volume(
            contender.name(),
            contenders.get(0).name(),
            vectors.partitions(),
            vectors.bytes(),
            runs.stream().map(run -> run.driver().sent()).toList(),
            runs.stream().map(run -> run.driver().received()).toList()));
    Summary total = Summary.of(samples.getOrDefault(contender.quantity(), List.of()));
    progress.accept("  " + contender.name() + ": median " + Tables.micros(total.median()));
  }

  private static void checkSums(String setting, Map<Contender, List<Contender.Run>> runs) {
    double expected = runs.values().iterator().next().get(0).sum();
    runs.forEach(
        (contender, list) ->
            list.forEach(
                run -> {
                  if (Math.abs(run.sum() - expected) > SUM_TOLERANCE * Math.abs(expected)) {
                    throw new IllegalStateException(
                        contender.name()
                            + " sums "
                            + setting
                            + " to "
                            + run.sum()
                            + ", another contender to "
                            + expected);
                  }
                }));
  }

  private void noteFingerprints(String setting, Map<Contender, List<Contender.Run>> runs) {
    Map<String, Set<String>> byContender = new LinkedHashMap<>();
    runs.forEach(
        (contender, list) ->
            list.forEach(
                run ->
                    byContender
                        .computeIfAbsent(contender.name(), c -> new LinkedHashSet<>())
                        .addAll(run.fingerprints())));
    byContender.forEach(
        (contender, seen) -> {
          if (seen.size() > 1) {
            throw new IllegalStateException(
                contender + " gave results of different bits for " + setting + ": " + seen);
          }
          seen.forEach(
              one ->
                  findings.put(
                      "bits of " + contender + ", " + setting,
                      "SHA-256 " + one + "…, the same on all ranks in all rounds"));
        });
  }
}
