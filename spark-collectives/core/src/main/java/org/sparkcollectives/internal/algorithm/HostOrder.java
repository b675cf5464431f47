package org.sparkcollectives.internal.algorithm;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.Topology;

/**
 * An order of ranks that knows their hosts: each rank has a place, and algorithms that may take
 * ranks in any order run over places. The root has place 0, and its host and rack come first.
 * Immutable; the latest few are kept, as the schedules of all ranks follow the same one.
 */
final class HostOrder {
  /** Of communicators that take turns, and of samples of their ranks. */
  private static final int KEPT = 4;

  /** The latest first; a list is never changed. */
  private static volatile List<Kept> latest = List.of();

  private final int[] rankAt;
  private final int[] placeOf;
  private final boolean rankOrder;
  private final Topology places;

  private record Kept(Topology topology, int root, Sequence sequence, HostOrder order) {}

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

  /** How places follow each other. */
  enum Sequence {
    /**
     * Rack by rack, host by host, and process by process within a host: neighbours are as near as
     * can be, and a chain of all crosses from one rack to another as seldom as can be.
     */
    BY_HOST,
    /**
     * One rank of each host in turn, for hosts that have as many: ranks that are a multiple of the
     * number of hosts apart are on one host.
     */
    HOSTS_IN_TURN,
    /** The same with hosts one of each rack in turn, for racks that have as many. */
    RACKS_IN_TURN
  }

  /**
   * An order of ranks.
   *
   * @param topology which ranks share a host, and which hosts a rack; not flat
   * @param root the rank that comes first
   * @param sequence how the others follow
   * @return the order
   */
  static HostOrder of(Topology topology, int root, Sequence sequence) {
    List<Kept> known = latest;
    for (Kept each : known) {
      if (each.root() == root && each.sequence() == sequence && each.topology().equals(topology)) {
        return each.order();
      }
    }
    int[] order =
        sequence == Sequence.BY_HOST ? byHost(topology, root) : inTurn(topology, root, sequence);
    HostOrder made = new HostOrder(topology, order);
    Stream<Kept> others = known.stream().limit(KEPT - 1);
    latest = Stream.concat(Stream.of(new Kept(topology, root, sequence, made)), others).toList();
    return made;
  }

  private static int[] byHost(Topology topology, int root) {
    int[] order = new int[topology.size()];
    int next = 0;
    for (int host : hosts(topology, topology.host(root))) {
      for (int rank : members(topology, host, root)) {
        order[next++] = rank;
      }
    }
    return order;
  }

  private static int[] inTurn(Topology topology, int root, Sequence sequence) {
    List<Integer> byRack = hosts(topology, topology.host(root));
    int racks = sequence == Sequence.RACKS_IN_TURN ? topology.racks() : byRack.size();
    int perRack = byRack.size() / racks;
    int[] order = new int[topology.size()];
    for (int i = 0; i < byRack.size(); i++) {
      int turn = i % perRack * racks + i / perRack;
      int[] members = members(topology, byRack.get(i), root);
      for (int j = 0; j < members.length; j++) {
        order[j * byRack.size() + turn] = members[j];
      }
    }
    return order;
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
