package org.sparkcollectives.benchmarks.chaos;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.chaos.Outcome.End;
import org.sparkcollectives.benchmarks.cluster.Network;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.Numbers;
import org.sparkcollectives.benchmarks.report.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code benchmarks/run chaos}: faults at random bytes of random collectives. */
@Command(
    name = "chaos",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Makes faults happen at random bytes of random collectives between processes, and checks what",
      "comes of each: a right result or a clear exception in time, the next call, what is left.",
      "Needs Linux; with --hosts also root: then the ranks have hosts with network cards of their own",
      "in network namespaces, and cables are pulled."
    })
public final class ChaosCommand implements Callable<Integer> {
  private static final int FEWEST = 3;

  @Option(
      names = "--faults",
      defaultValue = "1000",
      description = "How many faults (default: ${DEFAULT-VALUE}).")
  private int faults;

  @Option(names = "--seed", description = "What they are drawn from (default: at random).")
  private @Nullable Long seed;

  @Option(
      names = "--ranks",
      defaultValue = "5",
      description = "Processes, 3 or more (default: ${DEFAULT-VALUE}).")
  private int ranks;

  @Option(
      names = "--hosts",
      paramLabel = "HOSTS",
      description = "A host for each rank instead, 3 or more: other faults, at random moments.")
  private @Nullable Integer hosts;

  @Option(
      names = "--rate",
      defaultValue = "200mbit",
      description = "Rate of a host's network card, each way (default: ${DEFAULT-VALUE}).")
  private String rate = "";

  @Option(
      names = "--kinds",
      split = ",",
      paramLabel = "KIND",
      converter = Converter.class,
      description = "Kinds of faults (default: all that there are with or without --hosts).")
  private @Nullable List<Kind> kinds;

  @Option(
      names = "--deadline",
      defaultValue = "2000",
      paramLabel = "MILLIS",
      description = "What a collective may take (default: ${DEFAULT-VALUE}).")
  private long deadlineMillis;

  @Option(
      names = "--slack",
      defaultValue = "1",
      paramLabel = "FACTOR",
      description =
          "By what the time until a failure is multiplied, which is the deadline and a second, and"
              + " that of collectives that need not fail"
              + " (default: ${DEFAULT-VALUE}; more for slow machines).")
  private double slack;

  @Mixin private final Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by picocli. */
  public ChaosCommand() {}

  @Override
  public Integer call() throws IOException {
    new Numbers(spec)
        .check("--faults", 1, faults)
        .check("--deadline", 1, deadlineMillis)
        .positive("--slack", slack);
    if ((hosts == null ? ranks : hosts) < FEWEST) {
      throw misused("At least " + FEWEST + " ranks are needed.");
    }
    List<Kind> possible = Kind.of(hosts != null);
    List<Kind> chosen = kinds == null ? possible : kinds;
    if (!possible.containsAll(chosen)) {
      List<Kind> others = chosen.stream().filter(kind -> !possible.contains(kind)).toList();
      throw misused(
          "Without --hosts there are proxies and no cables, with it cables and no proxies: "
              + others.get(0).slug()
              + " is not possible.");
    }
    long from = seed == null ? new Random().nextLong() : seed;
    try (Network network = network()) {
      int size = network.hosts();
      Environment environment =
          output.environment("", network.hasCards() ? "-" + network.label(rate) : "", name());
      output.progress("seed " + from);
      List<Outcome> outcomes;
      try (Trials trials = new Trials(network, deadlineMillis, slack)) {
        trials.warmUp();
        List<Fault> all = Fault.of(faults, from, chosen, size, network.hasCards());
        outcomes = Outcomes.of(all, trials::run, output::progress);
      }
      TableReport report = report(environment, from, size, outcomes);
      output.deliver(report);
      return report.complaints().isEmpty() ? 0 : 1;
    }
  }

  private TableReport report(Environment environment, long from, int size, List<Outcome> outcomes) {
    return Outcomes.report(
        name(),
        environment,
        Map.of(
            "seed", Long.toString(from),
            "ranks", Integer.toString(size),
            "deadline", deadlineMillis + " ms",
            "slack", Double.toString(slack)),
        Kind.values(),
        List.of(End.RIGHT, End.FAILED, End.PARTLY, End.MISSED),
        outcomes);
  }

  private String name() {
    return output.name(hosts == null ? "" : "-hosts");
  }

  private Network network() {
    if (hosts == null) {
      return Network.loopback(ranks);
    }
    try {
      return Network.of("namespaces", hosts, false, rate, output::progress);
    } catch (IllegalArgumentException e) {
      throw misused(String.valueOf(e.getMessage()));
    }
  }

  private ParameterException misused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Reads the name of a kind. */
  private static final class Converter extends KindConverter<Kind> {
    /** Made by picocli. */
    Converter() {
      super(Kind.values());
    }
  }
}
