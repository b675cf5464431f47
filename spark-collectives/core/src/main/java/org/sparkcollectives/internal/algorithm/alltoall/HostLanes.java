package org.sparkcollectives.internal.algorithm.alltoall;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.sparkcollectives.internal.algorithm.pattern.EvenParts;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

/**
 * The ways from each host to each other one, and who of a host minds which. From a host to the one
 * at a distance t around the circle of all hosts there are as many lanes as one rank of the
 * smallest host can mind each, at least one; a lane leads to a run of the other host's members.
 * Lanes are numbered by distance, and every host shares them out among its members in runs. So a
 * host's member minds the lanes of one number both from and to its host. Members are numbered in
 * rank order.
 */
final class HostLanes {
  private final Topology topology;
  private final int hosts;
  private final Ring ring;
  private final int perHost;

  /** By host, the number of ranks of hosts before it, twice around the circle. */
  private final int[] before;

  HostLanes(Problem problem) {
    topology = problem.topology();
    hosts = topology.hosts(problem.size());
    ring = new Ring(hosts);
    before = new int[2 * hosts + 1];
    int fewest = Integer.MAX_VALUE;
    for (int i = 0; i < 2 * hosts; i++) {
      int members = topology.isFlat() ? 1 : topology.ranksOf(i % hosts).length;
      before[i + 1] = before[i] + members;
      fewest = Math.min(fewest, members);
    }
    perHost = hosts == 1 ? 0 : Math.max(1, fewest / (hosts - 1));
  }

  int hosts() {
    return hosts;
  }

  int[] ranks(int host) {
    return topology.ranksOf(host);
  }

  int members(int host) {
    return before[host + 1] - before[host];
  }

  int hostAt(int host, int distance) {
    return ring.shift(host, distance);
  }

  /** How many lanes lead from a host to all others. */
  private int lanes() {
    return perHost * (hosts - 1);
  }

  int distance(int lane) {
    return 1 + lane / perHost;
  }

  /** The first lane that a member minds; its last one is before the next member's first. */
  int first(int host, int member) {
    long members = members(host);
    return (int) (((long) member * lanes() + members - 1) / members);
  }

  /** The rank of a host that minds a lane. */
  int minding(int host, int lane) {
    return ranks(host)[(int) ((long) lane * members(host) / lanes())];
  }

  /** The members that a lane to a host leads to. */
  BlockRange destinations(int host, int lane) {
    return EvenParts.of(members(host), perHost, lane % perHost);
  }

  /** To how many ranks the lanes lead that a member minds. */
  int ranksAhead(int host, int member) {
    int from = first(host, member);
    int to = first(host, member + 1);
    if (perHost == 1) {
      return before[host + 1 + to] - before[host + 1 + from];
    }
    return IntStream.range(from, to)
        .map(lane -> destinations(hostAt(host, distance(lane)), lane).size())
        .sum();
  }

  /** From how many ranks the lanes come that a member minds, each counted for every lane. */
  int ranksBehind(int host, int member) {
    int from = first(host, member);
    int to = first(host, member + 1);
    if (perHost == 1) {
      return before[host + hosts - from] - before[host + hosts - to];
    }
    return IntStream.range(from, to).map(lane -> members(hostAt(host, -distance(lane)))).sum();
  }

  /** The ranks that the lanes lead to that a member minds, as runs of consecutive ranks. */
  List<BlockRange> runsAhead(int host, int member) {
    int[] ranks =
        IntStream.range(first(host, member), first(host, member + 1))
            .flatMap(lane -> ranksOf(hostAt(host, distance(lane)), lane))
            .sorted()
            .toArray();
    return runs(ranks);
  }

  /** The ranks that a lane to a host leads to. */
  IntStream ranksOf(int host, int lane) {
    BlockRange members = destinations(host, lane);
    return Arrays.stream(ranks(host), members.from(), members.to());
  }

  /** How many blocks a member deals out that have come by the lanes that it minds. */
  long blocksDealt(int host, int member) {
    int from = first(host, member);
    if (perHost == 1) {
      return (members(host) - 1L) * ranksBehind(host, member);
    }
    if (from == first(host, member + 1)) {
      return 0;
    }
    BlockRange members = destinations(host, from); // of the only lane
    boolean own = members.from() <= member && member < members.to();
    return (members.size() - (own ? 1L : 0)) * ranksBehind(host, member);
  }

  /** How far around the circle of a host's members the farthest is to which a member deals out. */
  int farthest(int host, int member) {
    int count = members(host);
    int from = first(host, member);
    if (from == first(host, member + 1)) {
      return 0;
    }
    BlockRange members = destinations(host, from); // the same for all of its lanes
    int back = Math.min(members.to(), member) - 1;
    return back >= members.from() ? back - member + count : Math.max(0, members.to() - 1 - member);
  }

  /** The phases between hosts, one for each distance unless all are alike. */
  List<Phase> exchangePhases() {
    int[] members = new int[hosts];
    int[] ahead = new int[2 * hosts];
    for (int host = 0; host < hosts; host++) {
      members[host] = members(host);
      ahead[host] = EvenParts.largest(members[host], perHost);
      ahead[hosts + host] = ahead[host];
    }
    if (Arrays.stream(members).allMatch(each -> each == members[0])) {
      return List.of(new Phase(hosts - 1, members[0] * ahead[0]));
    }
    List<Phase> phases = new ArrayList<>();
    for (int distance = 1; distance < hosts; distance++) {
      int most = 0;
      for (int host = 0; host < hosts; host++) {
        most = Math.max(most, members[host] * ahead[host + distance]);
      }
      phases.add(new Phase(1, most));
    }
    return phases;
  }

  /** Runs of consecutive numbers. */
  static List<BlockRange> runs(int[] growing) {
    List<BlockRange> runs = new ArrayList<>();
    for (int from = 0; from < growing.length; ) {
      int to = from + 1;
      while (to < growing.length && growing[to] == growing[to - 1] + 1) {
        to++;
      }
      runs.add(new BlockRange(growing[from], growing[to - 1] + 1));
      from = to;
    }
    return runs;
  }
}
