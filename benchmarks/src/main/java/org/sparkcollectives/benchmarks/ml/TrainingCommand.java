package org.sparkcollectives.benchmarks.ml;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import org.sparkcollectives.benchmarks.cluster.Network;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.Numbers;
import org.sparkcollectives.benchmarks.report.Output;
import org.sparkcollectives.benchmarks.report.Report;
import org.sparkcollectives.benchmarks.spark.ClusterOptions;
import org.sparkcollectives.spark.CollectivesPlugin;
import org.sparkcollectives.testing.StandaloneCluster;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code benchmarks/run training}: MLlib, MLlib with the plugin, and the library's estimators. */
@Command(
    name = "training",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Training of models by MLlib as it is, by MLlib with the plugin and by the library's"
            + " estimators, in turns in one application, on a standalone cluster: on the loopback"
            + " interface, or with --rate on hosts with network cards.")
public final class TrainingCommand implements Callable<Integer> {
  @Option(
      names = "--problems",
      split = ",",
      defaultValue = "digits,sparse:10000,sparse:100000",
      description = {
        "What is learnt from (default: ${DEFAULT-VALUE}).",
        "sparse:FEATURES: 20,000 rows of 100 features that are not zero; dense:FEATURES: 100,000 rows;",
        "digits: 1348 rows of 64 features; NAME=FILE: a text in LIBSVM's format, plain or .gz, such as",
        "a9a=a9a.gz; FILE=FEATURES: the same where the last features are zero in all rows."
      })
  private List<String> problems = List.of();

  @Option(
      names = "--model",
      defaultValue = "LOGISTIC_REGRESSION",
      description = "What is trained: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Model model = Model.LOGISTIC_REGRESSION;

  @Option(
      names = "--contenders",
      split = ",",
      defaultValue = "MLLIB,PLUGIN,ESTIMATOR",
      description = "Who takes part: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private List<Trainer> trainers = List.of();

  @Option(
      names = "--iterations",
      defaultValue = "30",
      description = "Iterations of a training at most, 2 or more (default: ${DEFAULT-VALUE}).")
  private int iterations;

  @Option(
      names = "--partitions",
      split = ",",
      defaultValue = "4",
      description = "Numbers of partitions (default: ${DEFAULT-VALUE}).")
  private List<Integer> partitions = List.of();

  @Option(
      names = "--rounds",
      defaultValue = "5",
      description = "Rounds that count, after two that do not (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--kill",
      paramLabel = "N",
      defaultValue = "0",
      description = {
        "In place of measuring: train N times by the library's estimator, lose an executor at a",
        "random time of each, and fail unless all models have the bits of an undisturbed training.",
        "One partition fewer than executors, so that there are as many ranks after a loss. What came",
        "of each is in the report, named training-losses unless --report names it otherwise."
      })
  private int losses;

  @Mixin private final ClusterOptions on = new ClusterOptions();

  @Option(
      names = "--seed",
      defaultValue = "20261122",
      description = "Where the random numbers start (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(names = "--conf", description = "A setting of Spark, KEY=VALUE; may be repeated.")
  private final Map<String, String> conf = new LinkedHashMap<>();

  @Mixin private final Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by picocli. */
  public TrainingCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException, TimeoutException {
    if (!model.hasOwn() && (losses > 0 || trainers.stream().anyMatch(Trainer::own))) {
      throw new ParameterException(
          spec.commandLine(),
          "the library has no estimator of its own for "
              + model
              + ": --contenders MLLIB,PLUGIN compares MLlib's, and --kill takes another model");
    }
    if (iterations < 2 || rounds < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "at least 2 --iterations and 1 of --rounds: an iteration is timed between two states");
    }
    new Numbers(spec).check("--partitions", 1, partitions).check("--kill", 0, losses);
    requireWhatLossesNeed();
    List<TrainingSet> parsed = parsed();
    try (Network network = on.network(output::progress)) {
      if (network.outside()) {
        return network.again(spec.root().userObject().getClass(), output.arguments());
      }
      Environment environment =
          output.environment(
              org.apache.spark.package$.MODULE$.SPARK_VERSION(), on.label(network), name());
      if (network.hasCards()) {
        conf.putIfAbsent("spark.executor.extraJavaOptions", ClusterOptions.EXECUTOR_OPTIONS);
      }
      try (StandaloneCluster cluster = on.start(network, output::progress)) {
        if (losses > 0) {
          return survived(cluster, parsed, network.hasCards(), environment) ? 0 : 1;
        }
        output.deliver(measure(cluster, parsed, network.hasCards(), environment));
      }
    }
    return 0;
  }

  private void requireWhatLossesNeed() {
    if (losses > 0 && on.executors() < 2) {
      throw new ParameterException(
          spec.commandLine(),
          "--kill loses one of several executors, and there is one. Give --executors 2 or more.");
    }
  }

  private List<TrainingSet> parsed() {
    List<TrainingSet> parsed = new ArrayList<>();
    for (String problem : problems) {
      try {
        TrainingSet set = TrainingSet.parse(problem);
        if (!model.learns(set)) {
          throw new IllegalArgumentException(
              model
                  + " cannot tell apart the classes of "
                  + set.name()
                  + ", which has "
                  + (set.classes() == 0
                      ? "labels other than 0, 1, 2 …"
                      : set.classes() + " of them")
                  + ": give it other --problems, such as sparse:10000");
        }
        parsed.add(set);
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
      }
    }
    return parsed;
  }

  private String name() {
    return output.name(losses > 0 ? "-losses" : "");
  }

  /** Whether every training that lost an executor brought the right model, as the report says. */
  private boolean survived(
      StandaloneCluster cluster, List<TrainingSet> parsed, boolean cards, Environment environment)
      throws IOException, InterruptedException, TimeoutException {
    conf.put("spark.collectives.reproducible", "true");
    List<Disturbed> all = new ArrayList<>();
    try (SparkSession session = SparkSession.builder().config(settings(cluster)).getOrCreate()) {
      Losses lost = new Losses(session, on.executors(), output::progress);
      for (TrainingSet problem : parsed) {
        Setting setting =
            new Setting(model, problem, on.executors() - 1, on.hosts(), on.bytesPerSecond(cards));
        all.add(lost.of(setting, iterations, losses, seed));
      }
    }
    output.deliver(Disturbed.report(name(), environment, described(cards), all));
    return all.stream().allMatch(each -> each.wrong() == 0);
  }

  private SparkConf settings(StandaloneCluster cluster) {
    SparkConf settings =
        on.settings(cluster, "training").set("spark.plugins", CollectivesPlugin.class.getName());
    conf.forEach(settings::set);
    return settings;
  }

  private Report measure(
      StandaloneCluster cluster, List<TrainingSet> parsed, boolean cards, Environment environment)
      throws IOException {
    SparkConf settings = settings(cluster);
    Trainings trainings =
        new Trainings(model, trainers, on, on.bytesPerSecond(cards), output::progress);
    try (SparkSession session = SparkSession.builder().config(settings).getOrCreate()) {
      for (TrainingSet problem : parsed) {
        for (int count : partitions) {
          trainings.measure(session, problem, count, iterations, rounds, seed);
        }
      }
    }
    return new Report(
        name(),
        environment,
        described(cards),
        Trainings.timed(),
        trainings.measurements(),
        trainings.volumes(),
        trainings.findings(),
        trainings.targets());
  }

  private Map<String, String> described(boolean cards) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("cluster", on.described(cards));
    settings.put("model", model + ", at most " + iterations + " iterations");
    if (losses > 0) {
      settings.put(
          "losses",
          losses
              + " on each problem, one in each training: an executor's process ends some time after it"
              + " began to read its rows, which is drawn from seed "
              + seed
              + ", up to "
              + Losses.LATEST
              + " times what a training takes that loses none, so that late ones find it ended; two"
              + " trainings before lose none, and the second of these counts");
    } else {
      settings.put(
          "rounds",
          "two to warm up, in the second of which garbage is collected again and again to see what"
              + " is in use, "
              + rounds
              + " that count, contenders in turn, in an order drawn anew in each round");
    }
    settings.put("Spark settings", conf.isEmpty() ? "Spark's defaults" : conf.toString());
    return settings;
  }
}
