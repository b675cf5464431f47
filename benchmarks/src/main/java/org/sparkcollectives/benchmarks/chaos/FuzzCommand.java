package org.sparkcollectives.benchmarks.chaos;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.Numbers;
import org.sparkcollectives.benchmarks.report.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code benchmarks/run fuzz}: strangers and liars at an endpoint that works. */
@Command(
    name = "fuzz",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Calls an endpoint as strangers of twelve kinds, and as peers that know the token and lie,",
      "while it runs collectives; counts what was cut off and why, and fails when one is let in, an",
      "honest rank fails or something grows. Needs Linux."
    })
public final class FuzzCommand implements Callable<Integer> {

  @Option(
      names = "--strangers",
      defaultValue = "1000000",
      description = "Calls without the token, 0 for none (default: ${DEFAULT-VALUE}).")
  private long strangers;

  @Option(
      names = "--peers",
      defaultValue = "100000",
      description = "Calls with the token, 0 for none (default: ${DEFAULT-VALUE}).")
  private long liars;

  @Option(names = "--seed", description = "What they say is drawn from (default: at random).")
  private @Nullable Long seed;

  @Mixin private final Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by picocli. */
  public FuzzCommand() {}

  @Override
  public Integer call() throws IOException {
    new Numbers(spec).check("--strangers", 0, strangers).check("--peers", 0, liars);
    if (strangers == 0 && liars == 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--strangers and --peers are both 0, so that nobody calls. Give one of them more.");
    }
    Environment environment = output.environment("");
    long from = seed == null ? new Random().nextLong() : seed;
    output.progress("seed " + from);
    try (Fuzz fuzz = new Fuzz(output::progress)) {
      fuzz.run(strangers, liars, from);
      output.deliver(
          new TableReport(
              output.name(),
              environment,
              Map.of("seed", Long.toString(from)),
              fuzz.table(),
              List.of(),
              fuzz.complaints()));
      return fuzz.complaints().isEmpty() ? 0 : 1;
    }
  }
}
