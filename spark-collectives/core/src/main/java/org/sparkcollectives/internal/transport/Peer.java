package org.sparkcollectives.internal.transport;

/**
 * Where a rank can be reached.
 *
 * @param rank the rank
 * @param endpoint identity of the endpoint (one per process); equal for ranks of one process
 * @param host advertised host name or address, without port, IPv6 without brackets; empty where all
 *     ranks are threads of one process
 * @param port advertised port, 0 where the endpoint takes no connections
 * @param node name of the machine, equal for ranks that share one
 * @param label how to name the rank's process to people, such as {@code executor 2}
 * @param rack name of the machine's rack, empty where it is not known
 */
public record Peer(
    int rank, String endpoint, String host, int port, String node, String label, String rack) {

  /**
   * Where a rank can be reached whose rack is not known.
   *
   * @param rank the rank
   * @param endpoint identity of the endpoint
   * @param host advertised host name or address
   * @param port advertised port
   * @param node name of the machine
   * @param label how to name the rank's process to people
   */
  public Peer(int rank, String endpoint, String host, int port, String node, String label) {
    this(rank, endpoint, host, port, node, label, "");
  }

  @Override
  public String toString() {
    String place = host.isEmpty() ? "" : " on " + host;
    return "rank " + rank + place + (label.isEmpty() ? "" : " (" + label + ")");
  }
}
