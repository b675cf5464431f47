package org.sparkcollectives.internal.algorithm;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.Topology;

/**
 * An order of ranks that knows their hosts: each rank has a place, and algorithms that may take
 * ranks in any order run over places. The root has place 0, and its host and rack come first.
 * Immutable; the latest is kept, as the schedules of all ranks follow the same one.
 */
final class HostOrder {
  private static volatile @Nullable Latest latest;

  private final int[] rankAt;
  private final int[] placeOf;
  private final boolean rankOrder;
  private final Topology places;

  private record Latest(Topology topology, int root, HostOrder order) {}

  private HostOrder(Topology topology, int[] rankAt) {
    this.rankAt = rankAt;
    this.placeOf = new int[rankAt.length];
    boolean same = true;
    for (int place = 0; place < rankAt.length; place++) {
      placeOf[rankAt[place]] = place;
      same &= rankAt[place] == place;
    }
    this.rankOrder = same;
    this.places = topology.among(Arrays.stream(rankAt).boxed().toList());
  }

  /**
   * Rack by rack, host by host, and process by process within a host: neighbours are as near as can
   * be, and a chain of all crosses from one rack to another as seldom as can be.
   *
   * @param topology which ranks share a host, and which hosts a rack; not flat
   * @param root the rank that comes first
   * @return the order
   */
  static HostOrder byHost(Topology topology, int root) {
    Latest known = latest;
    if (known != null && known.root() == root && known.topology().equals(topology)) {
      return known.order();
    }
    HostOrder made = make(topology, root);
    latest = new Latest(topology, root, made);
    return made;
  }

  private static HostOrder make(Topology topology, int root) {
    int[] order = new int[topology.size()];
    int next = 0;
    for (int host : hosts(topology, topology.host(root))) {
      for (int rank : members(topology, host, root)) {
        order[next++] = rank;
      }
    }
    return new HostOrder(topology, order);
  }

  /** The hosts from the first one on, rack by rack. */
  private static List<Integer> hosts(Topology topology, int first) {
    Ring hosts = new Ring(topology.hosts(topology.size()));
    Ring racks = new Ring(topology.racks());
    int firstRack = topology.rack(first);
    return IntStream.range(0, hosts.size())
        .map(distance -> hosts.shift(first, distance))
        .boxed()
        .sorted(Comparator.comparing(host -> racks.shift(topology.rack(host), -firstRack)))
        .toList();
  }

  /** The ranks of a host, the root first. */
  private static int[] members(Topology topology, int host, int root) {
    return IntStream.of(topology.ranksOf(host))
        .boxed()
        .sorted(
            Comparator.<Integer, Boolean>comparing(rank -> rank != root)
                .thenComparing(rank -> topology.process(rank) != topology.process(root))
                .thenComparing(topology::process))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /**
   * The topology of places.
   *
   * @return the same hosts, processes and racks, seen by place
   */
  Topology places() {
    return places;
  }

  /**
   * Whether every rank is its own place.
   *
   * @return true if the order changes nothing
   */
  boolean isRankOrder() {
    return rankOrder;
  }

  /**
   * The rank at a place.
   *
   * @param place 0 to p - 1
   * @return its rank
   */
  int rankAt(int place) {
    return rankAt[place];
  }

  /**
   * The place of a rank.
   *
   * @param rank 0 to p - 1
   * @return its place
   */
  int placeOf(int rank) {
    return placeOf[rank];
  }
}
