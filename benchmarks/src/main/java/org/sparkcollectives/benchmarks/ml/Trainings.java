package org.sparkcollectives.benchmarks.ml;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.sparkcollectives.benchmarks.cluster.Traffic;
import org.sparkcollectives.benchmarks.report.Measurement;
import org.sparkcollectives.benchmarks.report.Tables;
import org.sparkcollectives.benchmarks.report.Target;
import org.sparkcollectives.benchmarks.report.Volume;
import org.sparkcollectives.benchmarks.spark.ClusterOptions;
import org.sparkcollectives.spark.internal.events.TrainingEvent;

/**
 * Trainings by all contenders in turn: a round is one of each, in an order drawn anew. Two of each
 * come before and do not count; in the second of them what is in memory is watched.
 */
final class Trainings {
  private static final String PER_ITERATION = "per iteration";

  private final Model model;
  private final List<Trainer> contenders;
  private final int executors;
  private final int hosts;
  private final double bytesPerSecond;
  private final Consumer<String> progress;
  private final List<Measurement> measurements = new ArrayList<>();
  private final List<Volume> volumes = new ArrayList<>();
  private final List<Target> targets = new ArrayList<>();
  private final Map<String, String> findings = new LinkedHashMap<>();

  /** An application, and what watches it. */
  private record Watched(
      SparkContext context, TrainingEvents events, LoopJobs jobs, Memory memory) {}

  /**
   * No trainings yet.
   *
   * @param model what is trained
   * @param contenders who trains it
   * @param on the cluster
   * @param bytesPerSecond what each host's network card carries beside headers, each way; NaN where
   *     it has none
   * @param progress takes a line whenever something is done
   */
  Trainings(
      Model model,
      List<Trainer> contenders,
      ClusterOptions on,
      double bytesPerSecond,
      Consumer<String> progress) {
    this.model = model;
    this.contenders = baseFirst(contenders);
    this.executors = on.executors();
    this.hosts = on.hosts();
    this.bytesPerSecond = bytesPerSecond;
    this.progress = progress;
  }

  /** The contenders, of which MLlib as it is comes first, with which others are compared. */
  static List<Trainer> baseFirst(List<Trainer> contenders) {
    return contenders.stream().sorted(Comparator.comparing(who -> who != Trainer.MLLIB)).toList();
  }

  /** What the clocks cover. */
  static Map<String, String> timed() {
    return Map.of(
        Measurement.END_TO_END,
        "from the call of fit on cached rows until it returns the model",
        PER_ITERATION,
        "of a training in one stage, by rank 0's clock, from its first state to its last; of Spark's"
            + " own, by the driver's, from the end of the first job of the loop to that of the"
            + " last; over the iterations between");
  }

  List<Measurement> measurements() {
    return List.copyOf(measurements);
  }

  List<Volume> volumes() {
    return List.copyOf(volumes);
  }

  List<Target> targets() {
    return List.copyOf(targets);
  }

  Map<String, String> findings() {
    return Collections.unmodifiableMap(findings);
  }

  /** Trains on a problem, twice to warm up and then in rounds that count. */
  void measure(
      SparkSession session,
      TrainingSet problem,
      int partitions,
      int iterations,
      int rounds,
      long seed) {
    Setting setting = new Setting(model, problem, partitions, hosts, bytesPerSecond);
    SparkContext context = session.sparkContext();
    Dataset<Row> data = problem.cached(session, partitions, seed);
    Watched watched =
        new Watched(
            context, TrainingEvents.of(context), new LoopJobs(), new Memory(context, executors));
    context.addSparkListener(watched.jobs);
    try {
      Random order = new Random();
      List<Trainer> turn = new ArrayList<>(contenders);
      Collections.shuffle(turn, order);
      for (Trainer contender : turn) {
        contender.choose(context);
        model.fit(data, problem, contender.own(), iterations);
      }
      Map<Trainer, Memory.Live> live = new EnumMap<>(Trainer.class);
      Collections.shuffle(turn, order);
      for (Trainer contender : turn) {
        contender.choose(context);
        live.put(
            contender,
            watched.memory.watch(() -> model.fit(data, problem, contender.own(), iterations)));
      }
      progress.accept(setting + ", warm-up");
      Map<Trainer, List<Trained.Run>> runs = new EnumMap<>(Trainer.class);
      for (int round = 1; round <= rounds; round++) {
        Collections.shuffle(turn, order);
        for (Trainer contender : turn) {
          runs.computeIfAbsent(contender, c -> new ArrayList<>())
              .add(run(watched, contender, data, problem, iterations));
        }
        progress.accept(setting + ", round " + round);
      }
      record(setting, contenders.stream().map(who -> trained(setting, who, runs, live)).toList());
    } finally {
      context.removeSparkListener(watched.events);
      context.removeSparkListener(watched.jobs);
      data.unpersist(true);
    }
  }

  private static Trained trained(
      Setting setting,
      Trainer trainer,
      Map<Trainer, List<Trained.Run>> runs,
      Map<Trainer, Memory.Live> live) {
    return new Trained(
        setting, trainer, requireNonNull(runs.get(trainer)), requireNonNull(live.get(trainer)));
  }

  private Trained.Run run(
      Watched watched, Trainer contender, Dataset<Row> data, TrainingSet problem, int iterations) {
    contender.choose(watched.context);
    watched.memory.clear();
    watched.events.last(); // and jobs until now
    watched.jobs.ended(model.loop());
    Traffic before = Traffic.now();
    long start = System.nanoTime();
    Model.Fit fit = model.fit(data, problem, contender.own(), iterations);
    double micros = (System.nanoTime() - start) / 1e3;
    Traffic driver = Traffic.now().since(before);
    Memory.Bytes reached = watched.memory.reached();
    Optional<TrainingEvent> told = watched.events.last();
    List<Long> ends = watched.jobs.ended(model.loop());
    Pace pace = told.map(Pace::of).orElseGet(() -> Pace.of(ends, fit.iterations()));
    return new Trained.Run(
        micros, pace, fit.iterations(), Coefficients.of(fit.coefficients().get()), driver, reached);
  }

  private void record(Setting setting, List<Trained> all) {
    int partitions = setting.partitions();
    long bytes = setting.bytes();
    Trained base = all.get(0);
    targets.addAll(TrainingTargets.of(all));
    for (Trained trained : all) {
      String name = trained.name();
      measurements.add(
          new Measurement(
              name,
              executors,
              partitions,
              bytes,
              Measurement.END_TO_END,
              trained.each(Trained.Run::micros)));
      measurements.add(
          new Measurement(
              name,
              executors,
              partitions,
              bytes,
              PER_ITERATION,
              trained.each(Trained::perIteration)));
      findings.put(name + ", " + partitions + " partitions", trained.iterations(base));
      findings.put(name + ", " + partitions + " partitions, memory", trained.memory());
      if (!Double.isNaN(bytesPerSecond)) {
        volumes.add(volume(trained, base));
      }
      progress.accept(
          setting
              + ", "
              + trained.trainer().title()
              + ": median "
              + Tables.micros(trained.median(Trained.Run::micros))
              + ", "
              + Tables.micros(trained.median(Trained::perIteration))
              + " per iteration");
    }
  }

  private static Volume volume(Trained of, Trained base) {
    return new Volume(
        of.name(),
        base.trainer() == Trainer.MLLIB ? base.name() : "",
        of.setting().partitions(),
        of.setting().bytes(),
        of.runs().stream().map(run -> run.driver().sent()).toList(),
        of.runs().stream().map(run -> run.driver().received()).toList());
  }
}
