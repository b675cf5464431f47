package org.sparkcollectives.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Which ranks share a host, which of them a process, and which hosts a rack, whose uplink all that
 * leaves the rack has to pass. Hosts, processes and racks are numbered in the sequence of their
 * lowest ranks, so equal groupings are equal topologies. Immutable.
 */
public final class Topology {

  /** Every rank on a host of its own, for any number of ranks, all in one rack. */
  public static final Topology FLAT = new Topology(new int[0], new int[0], new int[0]);

  private final int[] hosts;
  private final int[] processes;

  /** By host, or empty where racks say nothing: where there is one, or each has one host. */
  private final int[] racks;

  private final int[][] members;

  /** By rack, its hosts; empty where racks say nothing. */
  private final int[][] hostsOfRacks;

  private final int mostHostsPerRack;
  private final int mostRanksPerHost;
  private final int fewestRanksPerHost;
  private final boolean consecutive;
  private final int hash;

  private Topology(int[] hosts, int[] processes, int[] racks) {
    this.hosts = hosts;
    this.processes = processes;
    this.racks = racks;
    this.members = groups(hosts);
    this.hostsOfRacks = groups(racks);
    this.mostHostsPerRack =
        Arrays.stream(hostsOfRacks).mapToInt(group -> group.length).max().orElse(members.length);
    this.mostRanksPerHost = Arrays.stream(members).mapToInt(ranks -> ranks.length).max().orElse(1);
    this.fewestRanksPerHost =
        Arrays.stream(members).mapToInt(ranks -> ranks.length).min().orElse(1);
    this.consecutive = grows(hosts);
    this.hash =
        31 * (31 * Arrays.hashCode(hosts) + Arrays.hashCode(processes)) + Arrays.hashCode(racks);
  }

  /**
   * The topology of ranks of which each has a host and a process there.
   *
   * @param hosts the host of each rank, any values
   * @param processes the process of each rank, any values; ranks of one process have one host
   * @return the topology, {@link #FLAT} where no two ranks share a host
   * @throws IllegalArgumentException if the lists have different lengths or a process has two hosts
   */
  public static Topology of(List<?> hosts, List<?> processes) {
    if (hosts.size() != processes.size()) {
      throw new IllegalArgumentException(
          hosts.size() + " ranks have a host, but " + processes.size() + " a process");
    }
    return of(hosts, processes, new int[0]);
  }

  /**
   * The topology of ranks of which each has a host, a process there, and a rack. Racks that do not
   * tell hosts apart, or that all hosts tell apart as well, are left out.
   *
   * @param hosts the host of each rank, any values
   * @param processes the process of each rank, any values; ranks of one process have one host
   * @param racks the rack of each rank, any values; ranks of one host have one rack
   * @return the topology, {@link #FLAT} where no two ranks share a host and racks are left out
   * @throws IllegalArgumentException if the lists have different lengths, a process has two hosts
   *     or a host two racks
   */
  public static Topology of(List<?> hosts, List<?> processes, List<?> racks) {
    if (hosts.size() != processes.size() || hosts.size() != racks.size()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d ranks have a host, but %d a process and %d a rack",
              hosts.size(),
              processes.size(),
              racks.size()));
    }
    boolean several = racks.stream().anyMatch(rack -> !rack.equals(racks.get(0)));
    return of(hosts, processes, several ? numbered(racks) : new int[0]);
  }

  /** The same of racks that are numbers, empty where there is one. */
  private static Topology of(List<?> hosts, List<?> processes, int[] racks) {
    int[] host = numbered(hosts);
    int[] process = numbered(processes);
    Map<Integer, Integer> hostOf = new HashMap<>();
    for (int rank = 0; rank < host.length; rank++) {
      if (hostOf.computeIfAbsent(process[rank], e -> -1) >= 0
          && hostOf.getOrDefault(process[rank], -1) != host[rank]) {
        throw new IllegalArgumentException(
            "process " + processes.get(rank) + " of rank " + rank + " is on two hosts");
      }
      hostOf.put(process[rank], host[rank]);
    }
    return of(host, process, racks.length == 0 ? racks : racksOf(host, racks, hosts));
  }

  /** The same of hosts and processes that are counted from 0, and the racks of hosts. */
  private static Topology of(int[] host, int[] process, int[] rack) {
    int hosts = Arrays.stream(host).max().orElse(-1) + 1;
    return hosts == host.length && rack.length == 0 ? FLAT : new Topology(host, process, rack);
  }

  /** By host, the rack of its ranks; empty where racks say nothing. */
  private static int[] racksOf(int[] host, int[] rack, List<?> hosts) {
    int[] racksOf = new int[Arrays.stream(host).max().orElse(-1) + 1];
    Arrays.fill(racksOf, -1);
    for (int rank = 0; rank < host.length; rank++) {
      int known = racksOf[host[rank]];
      if (known >= 0 && known != rack[rank]) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT, "host %s of rank %d is in two racks", hosts.get(rank), rank));
      }
      racksOf[host[rank]] = rack[rank];
    }
    long count = Arrays.stream(racksOf).distinct().count();
    return count <= 1 || count == racksOf.length ? new int[0] : racksOf;
  }

  /**
   * The topology of ranks that have a process each.
   *
   * @param hosts the host of each rank, any values
   * @return the topology
   */
  public static Topology ofHosts(List<?> hosts) {
    List<Integer> processes = new ArrayList<>();
    for (int rank = 0; rank < hosts.size(); rank++) {
      processes.add(rank);
    }
    return of(hosts, processes);
  }

  /**
   * The topology of some of the ranks.
   *
   * @param ranks the ranks, in the sequence of their new numbers, each once
   * @return which of them share hosts, processes and racks
   */
  public Topology among(List<Integer> ranks) {
    if (isFlat()) {
      return FLAT;
    }
    int[] host = counted(ranks, hosts);
    int[] process = counted(ranks, processes);
    if (!hasRacks()) {
      return of(host, process, racks);
    }
    int[] rackOf = Arrays.stream(hosts).map(each -> racks[each]).toArray();
    return of(host, process, racksOf(host, counted(ranks, rackOf), ranks));
  }

  /** What some ranks have, numbered anew in the sequence in which it comes. */
  private static int[] counted(List<Integer> ranks, int[] numbers) {
    int[] anew = new int[numbers.length];
    Arrays.fill(anew, -1);
    int[] counted = new int[ranks.size()];
    int next = 0;
    for (int i = 0; i < counted.length; i++) {
      int old = numbers[ranks.get(i)];
      if (anew[old] < 0) {
        anew[old] = next++;
      }
      counted[i] = anew[old];
    }
    return counted;
  }

  /**
   * The same ranks as if each rack were a host.
   *
   * @return a topology without racks; {@link #FLAT} where this one has none and is flat
   */
  public Topology racksAsHosts() {
    if (!hasRacks()) {
      return this;
    }
    return new Topology(
        Arrays.stream(hosts).map(host -> racks[host]).toArray(), processes, new int[0]);
  }

  private static int[] numbered(List<?> names) {
    Map<Object, Integer> numbers = new HashMap<>();
    int[] numbered = new int[names.size()];
    for (int i = 0; i < numbered.length; i++) {
      int next = numbers.size();
      numbered[i] = numbers.computeIfAbsent(names.get(i), name -> next);
    }
    return numbered;
  }

  private static int[][] groups(int[] hosts) {
    int[] sizes = new int[Arrays.stream(hosts).max().orElse(-1) + 1];
    for (int host : hosts) {
      sizes[host]++;
    }
    int[][] groups = new int[sizes.length][];
    for (int rank = hosts.length - 1; rank >= 0; rank--) {
      int host = hosts[rank];
      if (groups[host] == null) {
        groups[host] = new int[sizes[host]];
      }
      groups[host][--sizes[host]] = rank;
    }
    return groups;
  }

  /**
   * Whether every rank has a host of its own, and racks are left out. Where only the former
   * matters, ask whether {@link #mostRanksPerHost} is 1.
   *
   * @return true for {@link #FLAT} only
   */
  public boolean isFlat() {
    return hosts.length == 0;
  }

  /**
   * The number of ranks that the topology describes.
   *
   * @return the number of ranks, 0 for {@link #FLAT}, which fits any number
   */
  public int size() {
    return hosts.length;
  }

  /**
   * The host of a rank.
   *
   * @param rank a rank
   * @return the host's number, the rank itself in {@link #FLAT}
   */
  public int host(int rank) {
    return isFlat() ? rank : hosts[rank];
  }

  /**
   * The process of a rank.
   *
   * @param rank a rank
   * @return the process's number, the rank itself in {@link #FLAT}
   */
  public int process(int rank) {
    return isFlat() ? rank : processes[rank];
  }

  /**
   * The number of hosts.
   *
   * @param size p, the number of ranks
   * @return 1 to p
   */
  public int hosts(int size) {
    return isFlat() ? size : members.length;
  }

  /**
   * Whether several racks have hosts, and not each one only.
   *
   * @return true where it matters which hosts a message goes between
   */
  public boolean hasRacks() {
    return racks.length > 0;
  }

  /**
   * The rack of a host.
   *
   * @param host a host's number
   * @return the rack's number, 0 where {@link #hasRacks} says no
   */
  public int rack(int host) {
    return hasRacks() ? racks[host] : 0;
  }

  /**
   * The number of racks.
   *
   * @return 2 or more, or 1 where {@link #hasRacks} says no
   */
  public int racks() {
    return hasRacks() ? hostsOfRacks.length : 1;
  }

  /**
   * The largest number of hosts that share a rack.
   *
   * @param size p, the number of ranks
   * @return 1 to h, the number of hosts; all of them where {@link #hasRacks} says no
   */
  public int mostHostsPerRack(int size) {
    return isFlat() ? size : mostHostsPerRack;
  }

  /**
   * The hosts of a rack.
   *
   * @param rack a rack's number
   * @param size p, the number of ranks
   * @return the hosts, growing; all of them where {@link #hasRacks} says no
   */
  public int[] hostsOf(int rack, int size) {
    return hasRacks() ? hostsOfRacks[rack].clone() : IntStream.range(0, hosts(size)).toArray();
  }

  /**
   * The ranks of a host.
   *
   * @param host a host's number
   * @return the ranks, growing
   */
  public int[] ranksOf(int host) {
    return isFlat() ? new int[] {host} : members[host].clone();
  }

  /**
   * The lowest rank of a host.
   *
   * @param host a host's number
   * @return a rank
   */
  public int lowestRank(int host) {
    return isFlat() ? host : members[host][0];
  }

  /**
   * The largest number of ranks that share a host.
   *
   * @return 1 or more
   */
  public int mostRanksPerHost() {
    return mostRanksPerHost;
  }

  /**
   * The smallest number of ranks that share a host.
   *
   * @return 1 or more
   */
  public int fewestRanksPerHost() {
    return fewestRanksPerHost;
  }

  /**
   * Whether the ranks of every host are consecutive numbers.
   *
   * @return true where rank order can be kept host by host
   */
  public boolean isConsecutive() {
    return consecutive;
  }

  private static boolean grows(int[] hosts) {
    for (int rank = 1; rank < hosts.length; rank++) {
      if (hosts[rank] < hosts[rank - 1]) {
        return false;
      }
    }
    return true;
  }

  /**
   * How far apart two ranks are.
   *
   * @param rank a rank
   * @param other another rank
   * @return what they share
   */
  public Level level(int rank, int other) {
    if (process(rank) == process(other)) {
      return Level.PROCESS;
    }
    return host(rank) == host(other) ? Level.HOST : Level.NETWORK;
  }

  @Override
  public boolean equals(Object other) {
    return other == this
        || (other instanceof Topology that
            && hash == that.hash
            && Arrays.equals(hosts, that.hosts)
            && Arrays.equals(processes, that.processes)
            && Arrays.equals(racks, that.racks));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    String inRacks = hasRacks() ? " in " + racks() + " racks " + Arrays.toString(racks) : "";
    return isFlat() ? "flat" : members.length + " hosts " + Arrays.toString(hosts) + inRacks;
  }
}
