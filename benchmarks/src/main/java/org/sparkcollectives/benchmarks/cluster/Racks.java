package org.sparkcollectives.benchmarks.cluster;

import org.sparkcollectives.cost.CostModel;

/**
 * Which hosts of a run are in one rack, and what a rack's uplink carries.
 *
 * @param hosts the number of hosts
 * @param count the number of racks; with one there are no uplinks
 * @param uplink the rate of each rack's uplink, each way
 * @param interleaved whether hosts are dealt out to the racks in turn, instead of consecutive ones
 *     to each
 */
record Racks(int hosts, int count, String uplink, boolean interleaved) {

  /** All hosts in one rack. */
  static Racks one(int hosts) {
    return new Racks(hosts, 1, "", false);
  }

  /** Whether there are uplinks. */
  boolean several() {
    return count > 1;
  }

  /** The rack of a host, as the script has it. */
  int rack(int host) {
    return interleaved ? host % count : host * count / hosts;
  }

  /** The name of a host's rack, empty where there is one only. */
  String name(int host) {
    return several() ? "rack " + rack(host) : "";
  }

  /** A model of the same network with these uplinks. */
  CostModel in(CostModel model) {
    double nanos = several() ? Operations.nanosPerByte(Rates.bitsPerSecond(uplink)) : 0;
    return model.withUplink(nanos);
  }

  /** For names of files, behind those of the hosts: such as -2-racks-200mbit-interleaved. */
  String label() {
    return several() ? "-" + count + "-racks-" + uplink + (interleaved ? "-interleaved" : "") : "";
  }

  /** In words. */
  String description() {
    String sequence = interleaved ? "to which hosts are dealt out in turn" : "of consecutive hosts";
    return count + ", " + sequence + ", with uplinks of " + uplink + " each way";
  }
}
