package org.sparkcollectives.benchmarks.chaos;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.chaos.Outcome.End;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code benchmarks/run chaos}: faults at random bytes of random collectives. */
@Command(
    name = "chaos",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Makes faults happen at random bytes of random collectives between processes, and checks what",
      "comes of each: a right result or a clear exception in time, the next call, what is left.",
      "Needs Linux, and no root."
    })
public final class ChaosCommand implements Callable<Integer> {

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
      names = "--kinds",
      split = ",",
      paramLabel = "KIND",
      converter = Converter.class,
      description = "Kinds of faults (default: all).")
  private List<Kind> kinds = Arrays.asList(Kind.values());

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
          "By what the time until a failure is multiplied, which is the deadline and a second"
              + " (default: ${DEFAULT-VALUE}; more for slow machines).")
  private double slack;

  @Mixin private final Output output = new Output();

  /** Made by picocli. */
  public ChaosCommand() {}

  @Override
  public Integer call() throws IOException {
    Environment environment = output.environment("");
    long from = seed == null ? new Random().nextLong() : seed;
    output.progress("seed " + from);
    List<Outcome> outcomes;
    try (Trials trials = new Trials(ranks, deadlineMillis, slack)) {
      trials.warmUp();
      outcomes = Outcomes.of(Fault.of(faults, from, kinds, ranks), trials::run, output);
    }
    TableReport report =
        Outcomes.report(
            "chaos",
            environment,
            Map.of(
                "seed", Long.toString(from),
                "ranks", Integer.toString(ranks),
                "deadline", deadlineMillis + " ms",
                "slack", Double.toString(slack)),
            Kind.values(),
            List.of(End.RIGHT, End.FAILED, End.PARTLY, End.MISSED),
            outcomes);
    output.deliver(report);
    return report.complaints().isEmpty() ? 0 : 1;
  }

  /** Reads the name of a kind. */
  private static final class Converter extends KindConverter<Kind> {
    /** Made by picocli. */
    Converter() {
      super(Kind.values());
    }
  }
}
