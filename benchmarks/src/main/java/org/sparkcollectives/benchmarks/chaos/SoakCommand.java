package org.sparkcollectives.benchmarks.chaos;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkcollectives.benchmarks.cluster.Network;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.Numbers;
import org.sparkcollectives.benchmarks.report.Output;
import org.sparkcollectives.benchmarks.spark.ClusterOptions;
import org.sparkcollectives.testing.StandaloneCluster;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code benchmarks/run soak}: what many collectives leave behind. */
@Command(
    name = "soak",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs collectives of mixed kinds and sizes in one group of processes and in one application of",
      "Spark, and fails when something grows: heap, direct memory, threads, files, sockets, files of",
      "shared memory, blocks. Needs Linux."
    })
public final class SoakCommand implements Callable<Integer> {

  @Option(
      names = "--operations",
      defaultValue = "100000",
      description = "Collectives of the group, 0 for none (default: ${DEFAULT-VALUE}).")
  private int operations;

  @Option(
      names = "--calls",
      defaultValue = "2000",
      description = "Calls on RDDs, 0 for none (default: ${DEFAULT-VALUE}).")
  private int calls;

  @Option(
      names = "--ranks",
      defaultValue = "4",
      description = "Processes of the group (default: ${DEFAULT-VALUE}).")
  private int ranks;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "What kinds and sizes are drawn from (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Mixin private final ClusterOptions on = new ClusterOptions();
  @Mixin private final Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by picocli. */
  public SoakCommand() {}

  @Override
  public Integer call() throws IOException {
    new Numbers(spec)
        .check("--operations", 0, operations)
        .check("--calls", 0, calls)
        .check("--ranks", 1, ranks);
    if (operations == 0 && calls == 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--operations and --calls are both 0, so that nothing runs. Give one of them more.");
    }
    try (Network network = on.network(output::progress)) {
      return network.outside()
          ? network.again(spec.root().userObject().getClass(), output.arguments())
          : run(network);
    }
  }

  private int run(Network network) throws IOException {
    Environment environment =
        output.environment(
            calls > 0 ? org.apache.spark.package$.MODULE$.SPARK_VERSION() : "",
            on.label(network),
            output.name());
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("process", "before", "after"));
    List<String> complaints = new ArrayList<>();
    Soak soak = new Soak(output::progress, rows, complaints);
    if (operations > 0) {
      soak.run(ranks, operations, seed);
    }
    if (calls > 0) {
      calls(network, soak, complaints);
    }
    output.deliver(
        new TableReport(
            output.name(),
            environment,
            Map.of(
                "operations of the group", Integer.toString(operations),
                "calls on RDDs", Integer.toString(calls),
                "seed", Long.toString(seed)),
            rows,
            List.of(),
            complaints));
    return complaints.isEmpty() ? 0 : 1;
  }

  private void calls(Network network, Soak soak, List<String> complaints) throws IOException {
    try (StandaloneCluster cluster = on.start(network, output::progress)) {
      SparkConf settings =
          on.settings(cluster, "soak")
              .set("spark.ui.retainedJobs", "50")
              .set("spark.ui.retainedStages", "50")
              .set("spark.ui.retainedTasks", "200");
      try (JavaSparkContext context = new JavaSparkContext(settings)) {
        new SparkSoak(context, on.executors(), seed).run(calls, soak, output::progress, complaints);
      }
    }
  }
}
