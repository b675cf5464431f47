package org.sparkcollectives.tools.internal.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.schedule.Level;
import org.sparkcollectives.spark.internal.calibrate.ClusterCalibration;
import org.sparkcollectives.spark.internal.conf.CostProfile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures what communication costs on a running cluster. */
@Command(
    name = "calibrate",
    mixinStandardHelpOptions = true,
    description = "Measures α, β, the gap and γ on a running cluster and writes a cost profile.")
final class CalibrateCommand implements Callable<Integer> {
  @Option(
      names = "--master",
      required = true,
      paramLabel = "URL",
      description = "the cluster's master, as for spark-submit")
  private String master = "";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "PATH",
      defaultValue = "profile.json",
      description = "where to, in any file system of Hadoop (default: ${DEFAULT-VALUE})")
  private String output = "";

  @Option(names = "--conf", paramLabel = "KEY=VALUE", description = "a setting of Spark")
  private Map<String, String> settings = Map.of();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    NeedsSparkException.throwIfMissing("'collectives calibrate' cannot run");
    StringBuilder line = new StringBuilder("collectives calibrate --master ").append(master);
    line.append(" -o ").append(output);
    settings.forEach((key, value) -> line.append(" --conf ").append(key).append('=').append(value));
    String command = line.toString();
    CostModel model = ClusterCalibration.run(master, settings, output, command);
    PrintWriter out = spec.commandLine().getOut();
    out.print(CostProfile.write(model));
    print(model, out);
    out.println("written to " + output);
    return 0;
  }

  /** A line for each level, and one for γ. */
  static void print(CostModel model, PrintWriter out) {
    for (Level level : Level.values()) {
      LevelCost cost = model.at(level);
      out.printf(
          Locale.ROOT,
          "%-9s α = %.1f µs, β = %.3f ns per byte, gap = %.1f µs%s%n",
          level.slug() + ":",
          cost.alphaNanos() / 1e3,
          cost.betaNanosPerByte(),
          cost.gapNanos() / 1e3,
          cost.equals(CostModel.DEFAULT.at(level)) ? " (built-in, not measured)" : "");
    }
    out.printf(Locale.ROOT, "combining: γ = %.3f ns per byte%n", model.gammaNanosPerByte());
  }
}
