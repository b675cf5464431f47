package org.sparkcollectives.benchmarks.ml;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.cluster.Traffic;
import org.sparkcollectives.benchmarks.report.Measurement;
import org.sparkcollectives.benchmarks.report.Summary;
import org.sparkcollectives.benchmarks.report.Tables;
import org.sparkcollectives.benchmarks.report.Volume;
import org.sparkcollectives.spark.internal.events.TrainingEvent;

/**
 * Trainings by all contenders in turn. A short training before each full one tells the time of an
 * iteration: their difference over the iterations that the full one has more.
 */
final class Trainings {
  private static final String PER_ITERATION = "per iteration";
  private static final int SHORT_ITERATIONS = 2;
  private static final double MEBIBYTE = 1 << 20;

  private final Model model;
  private final List<Trainer> contenders;
  private final int executors;
  private final double bytesPerSecond;
  private final Consumer<String> progress;
  private final List<Measurement> measurements = new ArrayList<>();
  private final List<Volume> volumes = new ArrayList<>();
  private final Map<String, String> findings = new LinkedHashMap<>();

  /** What is known of a full training and the short one before it. */
  private record Run(
      double micros,
      double microsPerIteration,
      Model.Fit fit,
      Traffic driver,
      HeapPeaks heaps,
      Optional<TrainingEvent> toldOfFew,
      Optional<TrainingEvent> told) {}

  /**
   * No trainings yet.
   *
   * @param model what is trained
   * @param contenders who trains it
   * @param executors how many executors there are
   * @param bytesPerSecond the rate of each one's network card, each way; NaN where it has none
   * @param progress takes a line whenever something is done
   */
  Trainings(
      Model model,
      List<Trainer> contenders,
      int executors,
      double bytesPerSecond,
      Consumer<String> progress) {
    this.model = model;
    this.contenders = List.copyOf(contenders);
    this.executors = executors;
    this.bytesPerSecond = bytesPerSecond;
    this.progress = progress;
  }

  /** What the clocks cover. */
  static Map<String, String> timed() {
    return Map.of(
        Measurement.END_TO_END,
        "from the call of fit on cached rows until it returns the model",
        PER_ITERATION,
        "end to end, less that of a training of "
            + SHORT_ITERATIONS
            + " iterations just before, over the difference of iterations");
  }

  List<Measurement> measurements() {
    return List.copyOf(measurements);
  }

  List<Volume> volumes() {
    return List.copyOf(volumes);
  }

  Map<String, String> findings() {
    return Collections.unmodifiableMap(findings);
  }

  /** Trains on a problem, once to warm up and then in rounds that count. */
  void measure(
      SparkSession session,
      Problem problem,
      int partitions,
      int iterations,
      int rounds,
      long seed) {
    String setting = problem.name() + " in " + partitions + " partitions";
    Dataset<Row> data = problem.cached(session, partitions, seed);
    TrainingEvents events = TrainingEvents.of(session.sparkContext());
    try {
      Map<Trainer, List<Run>> runs = new EnumMap<>(Trainer.class);
      List<Trainer> turn = new ArrayList<>(contenders);
      for (int round = 0; round <= rounds; round++) {
        for (Trainer contender : turn) {
          Run run = run(session, contender, data, iterations, events);
          if (round > 0) {
            runs.computeIfAbsent(contender, c -> new ArrayList<>()).add(run);
          }
        }
        progress.accept(setting + (round == 0 ? ", warm-up" : ", round " + round));
        Collections.rotate(turn, 1);
      }
      record(setting, problem, partitions, runs);
    } finally {
      session.sparkContext().removeSparkListener(events);
      data.unpersist(true);
    }
  }

  private Run run(
      SparkSession session,
      Trainer contender,
      Dataset<Row> data,
      int iterations,
      TrainingEvents events) {
    contender.choose(session.sparkContext());
    System.gc();
    long begin = System.nanoTime();
    Model.Fit few = model.fit(data, contender.own(), SHORT_ITERATIONS);
    double shortMicros = (System.nanoTime() - begin) / 1e3;
    Optional<TrainingEvent> toldOfFew = events.last();
    HeapPeaks.reset(session.sparkContext(), executors);
    Traffic before = Traffic.now();
    long start = System.nanoTime();
    Model.Fit fit = model.fit(data, contender.own(), iterations);
    double micros = (System.nanoTime() - start) / 1e3;
    Traffic driver = Traffic.now().since(before);
    int more = Math.max(1, fit.iterations() - few.iterations());
    HeapPeaks heaps = HeapPeaks.since(session.sparkContext(), executors);
    return new Run(
        micros, (micros - shortMicros) / more, fit, driver, heaps, toldOfFew, events.last());
  }

  /** Where the time of the iterations goes that a training has more, as the library tells it. */
  private String shares(Run run, long bytes) {
    if (run.told().isEmpty() || run.told().get().evaluations == 0) {
      return "";
    }
    TrainingEvent many = run.told().get();
    TrainingEvent few = run.toldOfFew().orElseThrow();
    double iterations = Math.max(1, many.iterations - few.iterations);
    double evaluations = (many.evaluations - few.evaluations) / iterations;
    double rows = (many.computingMillis - few.computingMillis) / iterations;
    double ranks = (many.communicatingMillis - few.communicatingMillis) / iterations;
    String shares =
        String.format(
            Locale.ROOT,
            "; an iteration evaluates %.2f times, %.1f ms for a rank's rows and %.1f ms with other"
                + " ranks",
            evaluations,
            rows,
            ranks);
    if (Double.isNaN(bytesPerSecond)) {
      return shares;
    }
    double least = evaluations * 2e3 * (executors - 1) / executors * bytes / bytesPerSecond;
    return shares
        + String.format(
            Locale.ROOT,
            ", where allreduces of the vector take %.1f ms at least: %.2f times that and the rows",
            least,
            run.microsPerIteration() / 1e3 / (least + rows));
  }

  private void record(
      String setting, Problem problem, int partitions, Map<Trainer, List<Run>> runs) {
    long bytes = model.numbers(problem.features()) * Double.BYTES;
    @Nullable Run base = null;
    for (Map.Entry<Trainer, List<Run>> entry : runs.entrySet()) {
      List<Run> list = entry.getValue();
      String name = entry.getKey().title() + ", " + problem.name();
      List<Double> all = list.stream().map(Run::micros).toList();
      List<Double> each = list.stream().map(Run::microsPerIteration).toList();
      measurements.add(
          new Measurement(name, executors, partitions, bytes, Measurement.END_TO_END, all));
      measurements.add(new Measurement(name, executors, partitions, bytes, PER_ITERATION, each));
      if (!Double.isNaN(bytesPerSecond)) {
        volumes.add(
            new Volume(
                name,
                contenders.get(0).title() + ", " + problem.name(),
                partitions,
                bytes,
                list.stream().map(run -> run.driver().sent()).toList(),
                list.stream().map(run -> run.driver().received()).toList()));
      }
      Run last = list.get(list.size() - 1);
      base = base == null ? last : base;
      findings.put(
          name + ", " + partitions + " partitions",
          String.format(
                  Locale.ROOT,
                  "%d iterations; coefficients differ by %.1e from the first contender's; the driver's"
                      + " heap reached %.0f MiB, the fullest executor's %.0f MiB",
                  last.fit().iterations(),
                  last.fit().differenceTo(base.fit()),
                  last.heaps().driver() / MEBIBYTE,
                  last.heaps().executor() / MEBIBYTE)
              + shares(last, bytes));
      progress.accept(
          setting
              + ", "
              + entry.getKey().title()
              + ": median "
              + Tables.micros(Summary.of(all).median())
              + ", "
              + Tables.micros(Summary.of(each).median())
              + " per iteration");
    }
  }
}
