package org.sparkcollectives.internal.select;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Request;

/**
 * A few hosts that stand for a larger placement: with as many ranks on a host, up to a number that
 * keeps the sample small, and in the same sequence, and several hosts of a rack if there are racks.
 * Small placements stand for themselves. One of the fullest hosts is among them. If the number of
 * ranks is a power of two, so is that of the sample, and some hosts may have less ranks.
 */
final class Sample {
  /** Up to so many ranks are taken as they are. */
  static final int MOST_RANKS = 64;

  /** A sample of more ranks has about so many. */
  private static final int RANKS = 32;

  /** The same two of a sample for rough prices. */
  private static final int MOST_ROUGH_RANKS = 24;

  private static final int ROUGH_RANKS = 16;

  /**
   * What passes the fullest card of a tree grows with its height, up to about so many hosts for
   * each rank of one: 5 vectors with 4 ranks on a host, 6 with 8.
   */
  private static final int MANY_HOSTS_PER_RANK = 8;

  private static final int FEWEST_MANY_RANKS = 128;
  private static final int MOST_MANY_RANKS = 512;

  private static final int FEWEST_HOSTS = 4;

  private final Topology topology;
  private final int size;
  private final int root;

  /** By number of hosts, what {@link #half} and {@link #twice} have found for its request. */
  private final Map<Integer, Sample> ofPowers = new HashMap<>();

  private Sample(Topology topology, int size, int root) {
    this.topology = topology;
    this.size = size;
    this.root = root;
  }

  /** A sample of a placement on several hosts. */
  static Sample of(Topology topology, int size, int root) {
    return of(topology, size, root, MOST_RANKS, RANKS);
  }

  /** A smaller sample, for rough prices. */
  static Sample rough(Topology topology, int size, int root) {
    return of(topology, size, root, MOST_ROUGH_RANKS, ROUGH_RANKS);
  }

  /** A larger sample, to count what passes cards. */
  static Sample many(Topology topology, int size, int root) {
    int most = Math.min(MOST_MANY_RANKS, topology.mostRanksPerHost());
    int enough = Math.max(FEWEST_MANY_RANKS, MANY_HOSTS_PER_RANK * most * most);
    int ranks = Math.min(MOST_MANY_RANKS, enough);
    return of(topology, size, root, ranks, ranks);
  }

  /**
   * Half as many hosts, rounded up and then down to a power of two, besides what a fullest host and
   * a power of two of ranks ask for; null where that is one host, or where hosts are in racks,
   * which so few hosts would not share.
   */
  @Nullable Sample half(Request request) {
    int hosts = topology.hosts(size);
    int half = Integer.highestOneBit((hosts + 1) / 2);
    return half < 2 || topology.hasRacks() ? null : ofPower(request, half);
  }

  /** Twice as many hosts as {@link #half} has. */
  Sample twice(Request request) {
    return ofPower(request, 2 * topology.hosts(size));
  }

  private Sample ofPower(Request request, int hosts) {
    int most = topology.mostRanksPerHost();
    return ofPowers.computeIfAbsent(
        hosts, each -> ofHosts(request.topology(), request.size(), request.root(), each, most));
  }

  private static Sample of(Topology topology, int size, int root, int whole, int about) {
    if (size <= whole) {
      return new Sample(topology, size, root);
    }
    int hosts = topology.hosts(size);
    int perHost = (size + hosts - 1) / hosts;
    int taken = Math.min(hosts, Math.max(FEWEST_HOSTS, about / perHost));
    if (taken > 2 && Powers.isPowerOfTwo(taken) && !Powers.isPowerOfTwo(size)) {
      taken--;
    }
    return ofHosts(topology, size, root, taken, Math.max(1, 2 * whole / taken));
  }

  private static Sample ofHosts(Topology topology, int size, int root, int taken, int perHost) {
    int hosts = topology.hosts(size);
    boolean even = Powers.isPowerOfTwo(size);
    int rootHost = topology.host(root);
    SortedSet<Integer> chosen = chosen(topology, hosts, rootHost, taken);
    if (topology.hasRacks() && Powers.isPowerOfTwo(chosen.size()) && !even) {
      chosen.remove(chosen.first() == rootHost ? chosen.last() : chosen.first());
    }
    addFullest(topology, hosts, chosen);
    int most = even ? Integer.highestOneBit(perHost) : perHost;
    TreeSet<Integer> ranks = new TreeSet<>(Set.of(root));
    for (int host : chosen) {
      int[] members = topology.ranksOf(host);
      int left = Math.min(most, members.length) - (host == rootHost ? 1 : 0);
      for (int i = 0; left > 0; i++) {
        left -= ranks.add(members[i]) ? 1 : 0;
      }
    }
    if (even) {
      fill(topology, hosts, most, chosen, ranks);
    }
    return among(topology, new ArrayList<>(ranks), root);
  }

  /**
   * About so many hosts of a few racks, several of each, as far from one another as can be, and the
   * root's one.
   */
  private static SortedSet<Integer> chosen(Topology topology, int hosts, int rootHost, int taken) {
    List<Integer> racks = racksFrom(topology, hosts, topology.rack(rootHost));
    int few = Math.max(2, (int) Math.sqrt(taken));
    int some = Math.max(few, (int) ((long) taken * topology.racks() / hosts));
    int ofPowers = Powers.isPowerOfTwo(taken) ? Integer.highestOneBit(some) : some;
    int someRacks = Math.min(racks.size(), ofPowers);
    int ofEach = (taken + someRacks - 1) / someRacks;
    TreeSet<Integer> chosen = new TreeSet<>();
    for (int i = 0; i < someRacks; i++) {
      int rack = racks.get((int) ((long) i * racks.size() / someRacks));
      int[] members =
          IntStream.range(0, hosts)
              .map(distance -> (rootHost + distance) % hosts)
              .filter(host -> topology.rack(host) == rack)
              .toArray();
      int count = Math.min(ofEach, members.length);
      for (int j = 0; j < count; j++) {
        chosen.add(members[(int) ((long) j * members.length / count)]);
      }
    }
    return chosen;
  }

  /**
   * A rack, and after it in turn all that have several hosts, or the next one if there are none.
   */
  private static List<Integer> racksFrom(Topology topology, int hosts, int first) {
    int[] hostsOf = new int[topology.racks()];
    for (int host = 0; host < hosts; host++) {
      hostsOf[topology.rack(host)]++;
    }
    List<Integer> racks = new ArrayList<>(List.of(first));
    for (int distance = 1; distance < hostsOf.length; distance++) {
      int rack = (first + distance) % hostsOf.length;
      if (hostsOf[rack] > 1) {
        racks.add(rack);
      }
    }
    if (racks.size() == 1 && hostsOf.length > 1) {
      racks.add((first + 1) % hostsOf.length);
    }
    return racks;
  }

  /**
   * Adds ranks up to a power of two: as many of each host as of the chosen ones, of hosts that are
   * not among these, as long as there are such, and then any.
   */
  private static void fill(
      Topology topology, int hosts, int most, Set<Integer> chosen, Set<Integer> ranks) {
    for (int host = 0; host < hosts; host++) {
      if (!chosen.contains(host)) {
        fill(topology.ranksOf(host), most, ranks);
      }
    }
    for (int host = 0; host < hosts; host++) {
      fill(topology.ranksOf(host), topology.size(), ranks);
    }
  }

  private static void fill(int[] members, int most, Set<Integer> ranks) {
    int count = Math.min(most, members.length);
    for (int i = 0; i < count && !Powers.isPowerOfTwo(ranks.size()); i++) {
      ranks.add(members[i]);
    }
  }

  /**
   * A host of the most ranks is among the chosen, as its card is the busiest of many algorithms.
   */
  private static void addFullest(Topology topology, int hosts, Set<Integer> chosen) {
    int most = topology.mostRanksPerHost();
    for (int host : chosen) {
      if (topology.ranksOf(host).length == most) {
        return;
      }
    }
    chosen.add(fullest(topology, hosts));
  }

  /** The first of the hosts that have the most ranks. */
  static int fullest(Topology topology, int hosts) {
    int most = topology.mostRanksPerHost();
    int fullest = 0;
    while (fullest < hosts && topology.ranksOf(fullest).length < most) {
      fullest++;
    }
    return fullest;
  }

  private static Sample among(Topology topology, List<Integer> ranks, int root) {
    return new Sample(topology.among(ranks), ranks.size(), ranks.indexOf(root));
  }

  /**
   * What communication costs among the ranks of the sample: where it has fewer hosts of a rack,
   * they get as small a part of its uplink, but not less than a card can use, if that has it, not
   * more than it has, and no part of a card: with that trees of few hosts took down to 0.75 of what
   * those of all do.
   *
   * @param whole what the sample stands for
   * @param model what communication costs there
   */
  CostModel scaled(Topology whole, CostModel model) {
    double all = whole.mostHostsPerRack(whole.size());
    double taken = topology.mostHostsPerRack(size);
    if (!whole.hasRacks() || taken == all) {
      return model;
    }
    double cards = model.uplinkCards();
    double part = Math.max(1, Math.rint(cards * taken / all));
    return model.withUplink(model.network().betaNanosPerByte() / Math.min(cards, part));
  }

  /** A request as the sample's. */
  Request sampled(Request request) {
    return new Request(
        request.collective(),
        size,
        root,
        request.ordered(),
        request.units(),
        request.bytes(),
        null,
        topology);
  }

  Topology topology() {
    return topology;
  }

  int size() {
    return size;
  }

  int root() {
    return root;
  }
}
