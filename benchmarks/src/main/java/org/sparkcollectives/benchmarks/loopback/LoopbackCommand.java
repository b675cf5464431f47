package org.sparkcollectives.benchmarks.loopback;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.Measurement;
import org.sparkcollectives.benchmarks.report.Names;
import org.sparkcollectives.benchmarks.report.Numbers;
import org.sparkcollectives.benchmarks.report.Output;
import org.sparkcollectives.benchmarks.report.Report;
import org.sparkcollectives.benchmarks.report.Tables;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.schedule.Collective;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code benchmarks/run loopback}: the engine over TCP, without Spark. */
@Command(
    name = "loopback",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "All-reduce of doubles by the engine alone, one process per rank, over TCP.")
public final class LoopbackCommand implements Callable<Integer> {

  /** The slug that stands for the algorithm that the selector takes. */
  static final String AUTO = "auto";

  @Option(
      names = "--ranks",
      defaultValue = "4",
      description = "Number of ranks (default: ${DEFAULT-VALUE}).")
  private int ranks;

  @Option(
      names = "--elements",
      split = ",",
      defaultValue = "1,1024,131072,1048576,8388608",
      description = "Vector lengths in doubles (default: ${DEFAULT-VALUE}).")
  private List<Integer> elements = List.of();

  @Option(
      names = "--algorithms",
      split = ",",
      description =
          "Slugs, or " + AUTO + " for the selector's choice (default: " + AUTO + " and all).")
  private List<String> algorithms = List.of();

  @Option(
      names = "--rounds",
      defaultValue = "9",
      description = "Rounds that count (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--warm-up",
      defaultValue = "3",
      description = "Rounds before these (default: ${DEFAULT-VALUE}).")
  private int warmUp;

  @Option(
      names = "--alpha",
      description = "α of the cost model in nanoseconds (default: the library's).")
  private double alpha = Double.NaN;

  @Option(
      names = "--beta",
      description = "β of the cost model in nanoseconds per byte (default: the library's).")
  private double beta = Double.NaN;

  @Mixin private final Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by picocli. */
  public LoopbackCommand() {}

  @Override
  public Integer call() throws IOException {
    Numbers numbers = new Numbers(spec);
    numbers
        .check("--ranks", 1, ranks)
        .check("--elements", 1, elements)
        .check("--rounds", 1, rounds)
        .check("--warm-up", 0, warmUp);
    if (!Double.isNaN(alpha)) {
      numbers.positive("--alpha", alpha);
    }
    if (!Double.isNaN(beta)) {
      numbers.positive("--beta", beta);
    }
    new Names(spec).algorithms(algorithms, List.of(Collective.ALLREDUCE), AUTO);
    Environment environment = output.environment("");
    List<Measurement> measurements = new ArrayList<>();
    try (RankProcesses processes = RankProcesses.start(ranks, alpha, beta)) {
      output.progress(ranks + " ranks are connected");
      for (int length : elements) {
        measure(processes, length, measurements);
      }
    }
    output.deliver(
        new Report(
            output.name(),
            environment,
            Map.of("rounds", warmUp + " to warm up, " + rounds + " that count, algorithms in turn"),
            Map.of(
                Measurement.PER_OPERATION,
                "on the slowest rank, operations that follow one another, divided by their number"),
            measurements,
            Map.of(),
            List.of()));
    return 0;
  }

  private void measure(RankProcesses processes, int length, List<Measurement> measurements)
      throws IOException {
    Map<String, List<Double>> samples = new LinkedHashMap<>();
    for (int round = 0; round < warmUp + rounds; round++) {
      for (String slug : slugs()) {
        double micros = processes.run(slug, length, RankProcess.operations(length));
        if (round >= warmUp) {
          samples.computeIfAbsent(slug, s -> new ArrayList<>()).add(micros);
        }
      }
    }
    long bytes = (long) length * Double.BYTES;
    samples.forEach(
        (slug, micros) -> {
          Measurement measurement =
              new Measurement(slug, ranks, ranks, bytes, Measurement.PER_OPERATION, micros);
          measurements.add(measurement);
          output.progress(
              Tables.bytes(bytes)
                  + " by "
                  + slug
                  + ": median "
                  + Tables.micros(measurement.summary().median()));
        });
  }

  private List<String> slugs() {
    if (!algorithms.isEmpty()) {
      return algorithms;
    }
    List<String> all = new ArrayList<>(Arrays.asList(AUTO));
    Algorithms.of(Collective.ALLREDUCE).stream().map(Algorithm::slug).forEach(all::add);
    return all;
  }
}
