package org.sparkcollectives.benchmarks.loopback;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.Names;
import org.sparkcollectives.benchmarks.report.Numbers;
import org.sparkcollectives.benchmarks.report.Output;
import org.sparkcollectives.benchmarks.report.Report;
import org.sparkcollectives.benchmarks.report.Tables;
import org.sparkcollectives.benchmarks.report.Target;
import org.sparkcollectives.schedule.Collective;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code benchmarks/run memory}: what the engine allocates and holds, without Spark. */
@Command(
    name = "memory",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "What a rank's thread allocates for an operation, and the most memory that its process holds"
          + " beside the vector. The engine alone, one process per rank, over TCP on this machine."
    })
public final class MemoryCommand implements Callable<Integer> {
  private static final double MEBIBYTE = 1 << 20;
  private static final double ALLOWANCE_MIB = 16;

  /** The collectives that {@link RankProcess} runs. */
  private static final List<Collective> WATCHED =
      List.of(Collective.BROADCAST, Collective.REDUCE, Collective.ALLREDUCE, Collective.SCAN);

  @Option(
      names = "--ranks",
      defaultValue = "4",
      description = "Number of ranks (default: ${DEFAULT-VALUE}).")
  private int ranks;

  @Option(
      names = "--elements",
      split = ",",
      defaultValue = "131072,1048576,4194304",
      description = "Vector lengths in doubles (default: ${DEFAULT-VALUE}).")
  private List<Integer> elements = List.of();

  @Option(
      names = "--collective",
      split = ",",
      defaultValue = "broadcast,reduce,allreduce,scan",
      description = "Of broadcast, reduce, allreduce and scan (default: ${DEFAULT-VALUE}).")
  private List<String> collectives = List.of();

  @Option(
      names = "--algorithms",
      split = ",",
      defaultValue = LoopbackCommand.AUTO + ",two-tree",
      description =
          "Slugs, or "
              + LoopbackCommand.AUTO
              + " for the selector's choice (default: ${DEFAULT-VALUE}).")
  private List<String> algorithms = List.of();

  @Mixin private final Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by picocli. */
  public MemoryCommand() {}

  @Override
  public Integer call() throws IOException {
    new Numbers(spec).check("--ranks", 1, ranks).check("--elements", 1, elements);
    Names names = new Names(spec);
    List<Collective> watched = names.collectives(collectives, WATCHED);
    watched.forEach(each -> names.algorithms(algorithms, List.of(each), LoopbackCommand.AUTO));
    Environment environment = output.environment("");
    List<Target> targets = new ArrayList<>();
    Map<String, String> findings = new LinkedHashMap<>();
    try (RankProcesses processes = RankProcesses.start(ranks, Double.NaN, Double.NaN)) {
      output.progress(ranks + " ranks are connected");
      for (Collective collective : watched) {
        for (String slug : algorithms) {
          for (int length : elements) {
            measure(processes, collective, slug, length, targets, findings);
          }
        }
      }
    }
    output.deliver(
        new Report(
            output.name(),
            environment,
            Map.of("ranks", Integer.toString(ranks)),
            Map.of(),
            List.of(),
            findings,
            targets));
    return 0;
  }

  private void measure(
      RankProcesses processes,
      Collective collective,
      String slug,
      int length,
      List<Target> targets,
      Map<String, String> findings)
      throws IOException {
    RankProcesses.Memory memory = processes.memory(collective, slug, length);
    long bytes = (long) length * Double.BYTES;
    String name = "%s by %s, %s".formatted(collective.slug(), slug, Tables.bytes(bytes));
    double beside = (memory.peak() - bytes) / MEBIBYTE;
    targets.add(Target.below(name + ": most memory beside the vector", beside, ALLOWANCE_MIB));
    findings.put(name + ": a rank's thread allocates for an operation", memory.allocated() + " B");
    output.progress(
        String.format(
            Locale.ROOT,
            "%s: %d B allocated, %.1f MiB beside the vector",
            name,
            memory.allocated(),
            beside));
  }
}
