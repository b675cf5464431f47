package org.sparkcollectives.benchmarks.cluster;

import java.util.Map;
import picocli.CommandLine.Option;

/** The options that put hosts into racks. */
final class RackOptions {
  @Option(
      names = "--racks",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Number of racks that the hosts are in, each with an uplink to the others (default:"
              + " ${DEFAULT-VALUE}, without an uplink).")
  private int count;

  @Option(
      names = "--uplink",
      paramLabel = "RATE",
      defaultValue = "",
      description = "Rate of each rack's uplink, each way.")
  private String uplink = "";

  @Option(
      names = "--interleaved-racks",
      description = "Hosts are dealt out to the racks in turn; else consecutive ones share a rack.")
  private boolean interleaved;

  @Option(
      names = "--forget-racks",
      description = "The racks are there, but ranks and cost model know nothing of them.")
  private boolean forgotten;

  RackOptions() {}

  /**
   * The racks of a run.
   *
   * @param hosts the number of hosts
   * @throws IllegalArgumentException if hosts cannot be in such racks
   */
  Racks racks(int hosts) {
    if (count == 1) {
      if (!uplink.isEmpty() || interleaved || forgotten) {
        throw new IllegalArgumentException(
            "--uplink, --interleaved-racks and --forget-racks are about several racks: --racks says"
                + " how many.");
      }
      return Racks.one(hosts);
    }
    if (count < 1 || count >= hosts) {
      throw new IllegalArgumentException(
          "--racks is 1, or more but fewer than the hosts, of which there are "
              + hosts
              + "; not "
              + count
              + ".");
    }
    if (uplink.isEmpty()) {
      throw new IllegalArgumentException("--racks needs --uplink, the rate of a rack's uplink.");
    }
    Rates.check("--uplink", uplink);
    return new Racks(hosts, count, uplink, interleaved);
  }

  /** The racks that the ranks are told. */
  Racks told(int hosts) {
    return forgotten ? Racks.one(hosts) : racks(hosts);
  }

  /** What is added to the name of a result. */
  String suffix() {
    return forgotten ? "-racks-forgotten" : "";
  }

  /** Says what was set. */
  void describe(int hosts, Map<String, String> settings) {
    Racks racks = racks(hosts);
    if (racks.several()) {
      settings.put(
          "racks",
          racks.description()
              + (forgotten
                  ? ", of which neither ranks nor cost model know"
                  : ", which ranks and cost model know")
              + "; calibrated before the hosts were in them");
    }
  }
}
