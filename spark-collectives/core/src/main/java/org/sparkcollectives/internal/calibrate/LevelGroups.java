package org.sparkcollectives.internal.calibrate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.sparkcollectives.schedule.Level;
import org.sparkcollectives.schedule.Topology;

/**
 * Disjoint groups of ranks, equally many in each, any two ranks of a group one level apart: the
 * ranks of a process, one rank of each process of a host, one rank of each host, or of two hosts in
 * different racks. Only the largest groups of a level are here, so that their times can be
 * compared.
 */
final class LevelGroups {
  private final Level level;
  private final Topology topology;
  private final int size;
  private final int[][] groups;

  private LevelGroups(Level level, Topology topology, int size, int[][] groups) {
    this.level = level;
    this.topology = topology;
    this.size = size;
    this.groups = groups;
  }

  /**
   * The groups of each level that ranks have.
   *
   * @param topology which ranks share a host
   * @param size p, the number of all ranks
   * @return nearest level first, without levels that no two ranks have between them
   */
  static List<LevelGroups> of(Topology topology, int size) {
    List<LevelGroups> all = new ArrayList<>();
    for (Level level : Level.values()) {
      Map<Integer, List<Integer>> members = new TreeMap<>();
      for (int rank = 0; rank < size; rank++) {
        if (represents(topology, level, rank, size)) {
          members
              .computeIfAbsent(shared(topology, level, rank), key -> new ArrayList<>())
              .add(rank);
        }
      }
      int most = members.values().stream().mapToInt(List::size).max().orElse(0);
      if (most > 1) {
        int[][] groups =
            members.values().stream()
                .filter(ranks -> ranks.size() == most)
                .map(ranks -> neighbours(topology, ranks))
                .toArray(int[][]::new);
        all.add(new LevelGroups(level, topology, size, groups));
      }
    }
    return all;
  }

  /** Rack by rack, so that hardly any neighbours share an uplink with others. */
  private static int[] neighbours(Topology topology, List<Integer> ranks) {
    return ranks.stream()
        .sorted(Comparator.comparing(rank -> topology.rack(topology.host(rank))))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /**
   * Pairs of ranks of two racks, of the two that have most hosts: each host of the smaller one has
   * a rank in one pair, and the first of each pair are all in one rack.
   *
   * @param topology which ranks share a host, and which hosts a rack; of several racks
   * @param size p, the number of all ranks
   * @return the pairs, at level {@link Level#NETWORK}
   */
  static LevelGroups acrossRacks(Topology topology, int size) {
    List<int[]> racks =
        IntStream.range(0, topology.racks())
            .mapToObj(rack -> topology.hostsOf(rack, size))
            .sorted(Comparator.comparing(hosts -> -hosts.length))
            .toList();
    int[][] pairs = new int[racks.get(1).length][];
    for (int i = 0; i < pairs.length; i++) {
      int one = topology.lowestRank(racks.get(0)[i]);
      pairs[i] = new int[] {one, topology.lowestRank(racks.get(1)[i])};
    }
    return new LevelGroups(Level.NETWORK, topology, size, pairs);
  }

  /** What the ranks of a group share: a process, a host, or nothing. */
  private static int shared(Topology topology, Level level, int rank) {
    return switch (level) {
      case PROCESS -> topology.process(rank);
      case HOST -> topology.host(rank);
      case NETWORK -> 0;
    };
  }

  /** Whether a rank stands for what is one place at a level: itself, its process, or its host. */
  private static boolean represents(Topology topology, Level level, int rank, int size) {
    return switch (level) {
      case PROCESS -> true;
      case HOST -> {
        int[] ranks = topology.ranksOf(topology.host(rank));
        int process = topology.process(rank);
        yield Arrays.stream(ranks).filter(r -> topology.process(r) == process).min().orElse(size)
            == rank;
      }
      case NETWORK -> topology.lowestRank(topology.host(rank)) == rank;
    };
  }

  /** How far apart two ranks of a group are. */
  Level level() {
    return level;
  }

  /** Which of all ranks share a host. */
  Topology topology() {
    return topology;
  }

  /** p, the number of all ranks, also of those in no group. */
  int size() {
    return size;
  }

  /** n, the number of ranks in each group, at least 2. */
  int members() {
    return groups[0].length;
  }

  /** The same groups, of the first ranks of each. */
  LevelGroups first(int most) {
    int[][] cut =
        Arrays.stream(groups)
            .map(ranks -> Arrays.copyOf(ranks, Math.min(most, ranks.length)))
            .toArray(int[][]::new);
    return new LevelGroups(level, topology, size, cut);
  }

  /** The first groups alone. */
  LevelGroups only(int count) {
    return new LevelGroups(level, topology, size, Arrays.copyOf(groups, count));
  }

  /**
   * The same groups, those of a host apart from those of others, so that one host can be measured
   * while the others rest. Hosts may share processors, as containers do. Then they hinder each
   * other most while all ranks of all hosts are awake, which is not so in an operation.
   *
   * @return the groups of each host; of a level above hosts, all groups
   */
  List<LevelGroups> hostByHost() {
    if (level == Level.NETWORK) {
      return List.of(this);
    }
    Map<Integer, List<int[]>> hosts = new TreeMap<>();
    for (int[] ranks : groups) {
      hosts.computeIfAbsent(topology.host(ranks[0]), host -> new ArrayList<>()).add(ranks);
    }
    return hosts.values().stream()
        .map(own -> new LevelGroups(level, topology, size, own.toArray(int[][]::new)))
        .toList();
  }

  /** How many groups there are. */
  int count() {
    return groups.length;
  }

  /** The ranks of the group that a rank is in, in the sequence of their places; else none. */
  List<Integer> groupOf(int rank) {
    for (int[] ranks : groups) {
      List<Integer> group = Arrays.stream(ranks).boxed().toList();
      if (group.contains(rank)) {
        return group;
      }
    }
    return List.of();
  }

  @Override
  public String toString() {
    return level + " " + Arrays.deepToString(groups);
  }
}
