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
 * @param number how to number the rank to people, who may know it among others that do not take
 *     part; else the rank
 */
public record Peer(
    int rank,
    String endpoint,
    String host,
    int port,
    String node,
    String label,
    String rack,
    int number) {

  /**
   * Where a rank can be reached that people know by its rank.
   *
   * @param rank the rank
   * @param endpoint identity of the endpoint
   * @param host advertised host name or address
   * @param port advertised port
   * @param node name of the machine
   * @param label how to name the rank's process to people
   * @param rack name of the machine's rack
   */
  public Peer(
      int rank, String endpoint, String host, int port, String node, String label, String rack) {
    this(rank, endpoint, host, port, node, label, rack, rank);
  }

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
    return "rank " + number + place + (label.isEmpty() ? "" : " (" + label + ")");
  }
}
