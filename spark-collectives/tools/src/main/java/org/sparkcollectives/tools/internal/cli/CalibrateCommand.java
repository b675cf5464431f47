package org.sparkcollectives.tools.internal.cli;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.sparkcollectives.spark.Calibration;
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
    spec.commandLine()
        .getOut()
        .print(CostProfile.write(Calibration.run(master, settings, output, command)));
    spec.commandLine().getOut().println("written to " + output);
    return 0;
  }
}
