package org.sparkcollectives.benchmarks.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.sparkcollectives.schedule.Topology;

/**
 * Which ranks of a run share a host; each is a process of its own.
 *
 * @param hosts the number of hosts
 * @param ranksPerHost how many ranks each host has
 * @param interleaved whether ranks are dealt out to the hosts in turn, instead of consecutive ones
 *     to each
 */
record Placement(int hosts, int ranksPerHost, boolean interleaved) {

  /** The number of ranks. */
  int ranks() {
    return hosts * ranksPerHost;
  }

  /** The host of a rank. */
  int host(int rank) {
    return interleaved ? rank % hosts : rank / ranksPerHost;
  }

  /** The first rank of each host. */
  List<Integer> firstRanks() {
    return IntStream.range(0, hosts).mapToObj(h -> interleaved ? h : h * ranksPerHost).toList();
  }

  /** Whether ranks share hosts. */
  boolean shared() {
    return ranksPerHost > 1;
  }

  /** The same for algorithms, if every host has a network card. */
  Topology topology(Racks racks) {
    List<Integer> hostOf = new ArrayList<>();
    List<Integer> rackOf = new ArrayList<>();
    List<Integer> processOf = new ArrayList<>();
    for (int rank = 0; rank < ranks(); rank++) {
      hostOf.add(host(rank));
      rackOf.add(racks.rack(host(rank)));
      processOf.add(rank);
    }
    return Topology.of(hostOf, processOf, rackOf);
  }

  /** For names of files: such as 4x3x200mbit-interleaved. */
  String label(String rate) {
    return hosts + "x" + ranksPerHost + "x" + rate + (interleaved ? "-interleaved" : "");
  }

  /** In words. */
  String description() {
    String sequence = interleaved ? "dealt out to the hosts in turn" : "consecutive";
    return ranks() + ", " + ranksPerHost + " on each host, " + sequence;
  }
}
