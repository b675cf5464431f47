package org.sparkcollectives.benchmarks.jmh;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.PatternSyntaxException;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.Measurement;
import org.sparkcollectives.benchmarks.report.Numbers;
import org.sparkcollectives.benchmarks.report.Output;
import org.sparkcollectives.benchmarks.report.Report;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code benchmarks/run jmh}: the kernels. */
@Command(
    name = "jmh",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Kernels: combining, encoding and decoding, making schedules and programs.")
public final class JmhCommand implements Callable<Integer> {
  private static final double MICROS_PER_NANO = 1e-3;

  @Parameters(
      arity = "0..*",
      description = "Regular expressions; what matches one is measured (default: everything).")
  private List<String> patterns = List.of();

  @Option(
      names = "--iterations",
      defaultValue = "5",
      description =
          "Iterations that count; a third as many, rounded up, warm up (default: ${DEFAULT-VALUE}).")
  private int iterations;

  @Option(
      names = "--millis",
      defaultValue = "1000",
      description = "Length of an iteration in milliseconds (default: ${DEFAULT-VALUE}).")
  private int millis;

  @Mixin private final Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by picocli. */
  public JmhCommand() {}

  @Override
  public Integer call() throws IOException, RunnerException {
    new Numbers(spec).check("--iterations", 1, iterations).check("--millis", 1, millis);
    Environment environment = output.environment("");
    int warmUp = (iterations + 2) / 3;
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .warmupIterations(warmUp)
            .warmupTime(TimeValue.milliseconds(millis))
            .measurementIterations(iterations)
            .measurementTime(TimeValue.milliseconds(millis))
            .timeUnit(TimeUnit.NANOSECONDS);
    for (String pattern : patterns) {
      options.include(pattern);
    }
    output.deliver(report(environment, results(options.build())));
    return 0;
  }

  private Collection<RunResult> results(Options options) throws RunnerException {
    try {
      return new Runner(options).run();
    } catch (NoBenchmarksException | PatternSyntaxException e) {
      throw new ParameterException(
          spec.commandLine(),
          "No kernel's name matches "
              + String.join(" or ", patterns)
              + ". Give a part of a name, such as CodecBenchmark.decode, or nothing for all.",
          e);
    }
  }

  private Report report(Environment environment, Collection<RunResult> results) {
    List<Measurement> measurements = new ArrayList<>();
    for (RunResult result : results) {
      measurements.add(measurement(result));
    }
    IterationParams iteration = results.iterator().next().getParams().getMeasurement();
    return new Report(
        output.name(),
        environment,
        Map.of("iterations", iteration.getCount() + " of " + iteration.getTime()),
        Map.of(Measurement.PER_OPERATION, "mean of an iteration's operations, by JMH, one thread"),
        measurements,
        Map.of(),
        List.of());
  }

  private static Measurement measurement(RunResult result) {
    BenchmarkParams params = result.getParams();
    String name = params.getBenchmark().substring(params.getBenchmark().indexOf(".jmh.") + 5);
    StringBuilder contender = new StringBuilder(name);
    long bytes = 0;
    for (String key : params.getParamsKeys()) {
      if (key.equals("bytes")) {
        bytes = Long.parseLong(params.getParam(key));
      } else {
        contender.append(", ").append(key).append(' ').append(params.getParam(key));
      }
    }
    List<Double> samples =
        result.getBenchmarkResults().stream()
            .flatMap(fork -> fork.getIterationResults().stream())
            .map(IterationResult::getPrimaryResult)
            .map(primary -> primary.getScore() * MICROS_PER_NANO)
            .toList();
    return new Measurement(contender.toString(), 1, 1, bytes, Measurement.PER_OPERATION, samples);
  }
}
