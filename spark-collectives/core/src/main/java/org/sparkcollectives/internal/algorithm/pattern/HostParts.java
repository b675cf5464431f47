package org.sparkcollectives.internal.algorithm.pattern;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.OPERAND;
import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.shape.HostRuns;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.internal.shape.RunTree;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

/**
 * Parts of a vector that ranks own, taken together by host: what the ranks of a host own is a run
 * of blocks, which their first rank, the leader, has to do with on the network. Within hosts parts
 * and vectors travel along binomial trees whose subtrees are runs of ranks; between leaders, runs
 * of hosts at doubling distances around the circle of all hosts (Thakur, Rabenseifner, Gropp 2005,
 * Section 4.1.2), or, from or to a root, along a binomial tree of hosts, counted from the root's
 * one. Needs consecutive ranks on each host, with as many blocks each, and a root that leads its
 * host; what it claims holds for ranks counted host by host.
 */
public final class HostParts {
  private final int blocks;
  private final int each;
  private final HostRuns runs;
  private final int most;
  private final int levels;
  private final int rootHost;
  private final Ring ring;

  /**
   * The parts of a problem.
   *
   * @param problem a problem that divides the vector
   */
  public HostParts(Problem problem) {
    Topology topology = problem.topology();
    int size = problem.size();
    this.blocks = problem.blocks();
    this.each = blocks / size;
    this.most = topology.mostRanksPerHost();
    this.runs = topology.isFlat() ? flat(size) : runs(topology);
    this.levels = Powers.ceilLog2(most);
    this.rootHost = topology.host(problem.root());
    this.ring = new Ring(runs.hosts());
  }

  private static HostRuns flat(int size) {
    return new HostRuns(size, size, host -> host, rank -> rank);
  }

  /** Hosts in their sequence, as if the ranks of each were consecutive. */
  private static HostRuns runs(Topology topology) {
    if (topology.isConsecutive()) {
      int hosts = topology.hosts(topology.size());
      return new HostRuns(topology.size(), hosts, topology::lowestRank, topology::host);
    }
    int[] first = new int[topology.hosts(topology.size())];
    for (int host = 1; host < first.length; host++) {
      first[host] = first[host - 1] + topology.ranksOf(host - 1).length;
    }
    return new HostRuns(
        topology.size(),
        first.length,
        host -> first[host],
        rank -> {
          int found = Arrays.binarySearch(first, rank);
          return found >= 0 ? found : -found - 2;
        });
  }

  /**
   * Why parts cannot be taken together by host.
   *
   * @param problem what is to be solved
   * @return the cause, or null if they can
   */
  public static @Nullable String refusal(Problem problem) {
    if (!problem.parts().isEmpty()) {
      return "it needs parts of as many blocks each";
    }
    return problem.blocks() % problem.size() == 0
        ? null
        : "it needs as many blocks for each rank, so a multiple of " + problem.size();
  }

  /**
   * The part of a rank.
   *
   * @param rank the rank
   * @return its blocks
   */
  public BlockRange part(int rank) {
    return ranks(rank, rank + 1);
  }

  /**
   * The number of rounds within hosts, before and after those between them.
   *
   * @return ceil(log2 g) for up to g ranks on a host
   */
  public int roundsWithin() {
    return levels;
  }

  /**
   * The number of rounds between hosts.
   *
   * @return ceil(log2 h) for h hosts
   */
  public int roundsBetween() {
    return Powers.ceilLog2(runs.hosts());
  }

  // ---- within hosts ----------------------------------------------------------------------------

  /**
   * Enters a rank's part in gathering parts at the leaders.
   *
   * @param builder takes the rounds
   * @param start the first round
   * @param rank the rank
   */
  public void gather(ScheduleBuilder builder, int start, int rank) {
    Node node = new Node(rank);
    for (int level = 0; level < node.children(); level++) {
      builder.receive(start + level, node.child(level), VECTOR, node.subtree(level));
    }
    if (node.parent() != rank) {
      builder.send(start + node.level(), node.parent(), VECTOR, node.subtree());
    }
  }

  /**
   * Enters a rank's part in spreading the vector from the leaders.
   *
   * @param builder takes the rounds
   * @param start the first round
   * @param rank the rank
   */
  public void spread(ScheduleBuilder builder, int start, int rank) {
    down(builder, start, rank, true);
  }

  /**
   * Enters a rank's part in dealing parts out from the leaders.
   *
   * @param builder takes the rounds
   * @param start the first round
   * @param rank the rank
   */
  public void scatter(ScheduleBuilder builder, int start, int rank) {
    down(builder, start, rank, false);
  }

  private void down(ScheduleBuilder builder, int start, int rank, boolean whole) {
    Node node = new Node(rank);
    int last = start + levels - 1;
    if (node.parent() != rank) {
      BlockRange range = whole ? all() : node.subtree();
      builder.receive(last - node.level(), node.parent(), VECTOR, range);
    }
    for (int level = node.children() - 1; level >= 0; level--) {
      BlockRange range = whole ? all() : node.subtree(level);
      builder.send(last - level, node.child(level), VECTOR, range);
    }
  }

  /**
   * Enters a rank's part in summing the vectors of each host at its leader.
   *
   * @param builder takes the rounds
   * @param start the first round
   * @param rank the rank
   */
  public void reduce(ScheduleBuilder builder, int start, int rank) {
    Node node = new Node(rank);
    for (int level = 0; level < node.children(); level++) {
      builder.receiveRight(start + level, node.child(level), all());
    }
    if (node.parent() != rank) {
      builder.send(start + node.level(), node.parent(), VECTOR, all());
    }
  }

  // ---- between leaders -------------------------------------------------------------------------

  /**
   * Enters a leader's part in the allgather of hosts' parts.
   *
   * @param builder takes the rounds
   * @param start the first round
   * @param rank the rank; nothing happens for one that leads no host
   */
  public void allgather(ScheduleBuilder builder, int start, int rank) {
    int host = runs.host(rank);
    for (int k = 0; k < roundsBetween() && rank == runs.first(host); k++) {
      int to = ring.shift(host, -(1 << k));
      int from = ring.shift(host, 1 << k);
      builder.send(start + k, runs.first(to), pieces(VECTOR, host, count(k)));
      builder.receive(start + k, runs.first(from), pieces(VECTOR, from, count(k)));
    }
  }

  /**
   * Enters a leader's part in the reduce-scatter to hosts' parts: the allgather backwards.
   *
   * @param builder takes the rounds
   * @param start the first round
   * @param rank the rank; nothing happens for one that leads no host
   */
  public void reduceScatter(ScheduleBuilder builder, int start, int rank) {
    int host = runs.host(rank);
    for (int k = roundsBetween() - 1; k >= 0 && rank == runs.first(host); k--) {
      int round = start + roundsBetween() - 1 - k;
      int to = ring.shift(host, 1 << k);
      int from = ring.shift(host, -(1 << k));
      builder.send(round, runs.first(to), pieces(VECTOR, to, count(k)));
      List<Piece> operands = pieces(OPERAND, host, count(k));
      builder.receive(round, runs.first(from), operands);
      for (Piece operand : operands) {
        builder.combine(round, VECTOR, VECTOR, OPERAND, operand.blocks());
      }
    }
  }

  /**
   * Enters a leader's part in dealing hosts' parts out from the root.
   *
   * @param builder takes the rounds
   * @param start the first round
   * @param rank the rank; nothing happens for one that leads no host
   */
  public void scatterToHosts(ScheduleBuilder builder, int start, int rank) {
    int host = runs.host(rank);
    if (rank != runs.first(host)) {
      return;
    }
    RunTree tree = hostTree();
    int number = ring.shift(host, -rootHost);
    int last = start + tree.levels() - 1;
    if (number > 0) {
      builder.receive(last - tree.level(number), leader(tree.parent(number)), partsBelow(number));
    }
    for (int level = tree.children(number) - 1; level >= 0; level--) {
      int child = tree.child(number, level);
      builder.send(last - level, leader(child), partsBelow(child));
    }
  }

  /**
   * Enters a leader's part in collecting hosts' parts at the root: dealing them out backwards.
   *
   * @param builder takes the rounds
   * @param start the first round
   * @param rank the rank; nothing happens for one that leads no host
   */
  public void gatherFromHosts(ScheduleBuilder builder, int start, int rank) {
    int host = runs.host(rank);
    if (rank != runs.first(host)) {
      return;
    }
    RunTree tree = hostTree();
    int number = ring.shift(host, -rootHost);
    for (int level = 0; level < tree.children(number); level++) {
      int child = tree.child(number, level);
      builder.receive(start + level, leader(child), partsBelow(child));
    }
    if (number > 0) {
      builder.send(start + tree.level(number), leader(tree.parent(number)), partsBelow(number));
    }
  }

  private RunTree hostTree() {
    return new RunTree(runs.hosts());
  }

  /** The first rank of the host at a distance from the root's one. */
  private int leader(int distance) {
    return runs.first(ring.shift(rootHost, distance));
  }

  /** The parts of a host, at a distance from the root's one, and of those below it in the tree. */
  private List<Piece> partsBelow(int distance) {
    int count = hostTree().end(distance) - distance;
    return pieces(VECTOR, ring.shift(rootHost, distance), count);
  }

  /** The number of hosts whose parts a message carries. */
  private int count(int k) {
    return Math.min(1 << k, runs.hosts() - (1 << k));
  }

  private List<Piece> pieces(int slot, int host, int count) {
    int end = Math.min(runs.hosts(), host + count);
    int wrapped = count - (end - host);
    return List.of(new Piece(slot, hosts(host, end)), new Piece(slot, hosts(0, wrapped)));
  }

  // ---- claims ----------------------------------------------------------------------------------

  /**
   * The phases of moving parts within hosts, the shortest messages first.
   *
   * @return a phase for each level
   */
  public List<Phase> partPhases() {
    List<Phase> phases = new ArrayList<>();
    for (int level = 0; level < levels; level++) {
      int ranks = Math.min(1 << level, most - (1 << level));
      phases.add(new Phase(1, ranks * each, 0, true, true));
    }
    return phases;
  }

  /**
   * The phases of moving whole vectors within hosts.
   *
   * @param combining whether they are combined
   * @return one phase
   */
  public List<Phase> vectorPhases(boolean combining) {
    return List.of(new Phase(levels, blocks, combining ? blocks : 0, true, true));
  }

  /**
   * The phases between leaders, the shortest messages first.
   *
   * @param combining whether what comes is combined
   * @return a phase for each distance
   */
  public List<Phase> betweenPhases(boolean combining) {
    List<Phase> phases = new ArrayList<>();
    for (int k = 0; k < roundsBetween(); k++) {
      int most = 0;
      for (int host = 0; host < runs.hosts(); host++) {
        most = Math.max(most, carried(host, k));
      }
      phases.add(new Phase(1, most, combining ? most : 0));
    }
    return phases;
  }

  /**
   * The phases of moving hosts' parts along the tree of hosts, the shortest messages first.
   *
   * @return a phase for each level
   */
  public List<Phase> rootedPhases() {
    RunTree tree = hostTree();
    int[] most = new int[tree.levels()];
    for (int number = 1; number < runs.hosts(); number++) {
      int level = tree.level(number);
      most[level] = Math.max(most[level], blocksBelow(number));
    }
    return Arrays.stream(most).mapToObj(blocks -> new Phase(1, blocks, 0, false, false)).toList();
  }

  /**
   * The most that a rank sends in collecting all parts at the root.
   *
   * @return a number of blocks
   */
  public long gatherSends() {
    return Stream.of(partPhases(), rootedPhases())
        .flatMap(List::stream)
        .mapToLong(Phase::blocks)
        .max()
        .orElse(0);
  }

  /**
   * The phases of an operation that does backwards what another one does.
   *
   * @param phases the phases of the other one
   * @return the same, the last one first
   */
  public static List<Phase> backwards(List<Phase> phases) {
    List<Phase> turned = new ArrayList<>(phases);
    Collections.reverse(turned);
    return turned;
  }

  private int blocksBelow(int distance) {
    return partsBelow(distance).stream().mapToInt(piece -> piece.blocks().size()).sum();
  }

  /**
   * The most that a rank sends in an allgather.
   *
   * @return a number of blocks
   */
  public long allgatherSends() {
    long most = 0;
    for (int rank = 0; rank < runs.size(); rank++) {
      Node node = new Node(rank);
      long sent = (long) node.children() * blocks;
      sent += node.parent() == rank ? 0 : node.subtree().size();
      for (int k = 0; k < roundsBetween() && node.parent() == rank; k++) {
        sent += carried(runs.host(rank), k);
      }
      most = Math.max(most, sent);
    }
    return most;
  }

  /**
   * The most that a rank sends in a reduce-scatter.
   *
   * @return a number of blocks
   */
  public long reduceScatterSends() {
    long most = 0;
    for (int rank = 0; rank < runs.size(); rank++) {
      Node node = new Node(rank);
      long sent = node.parent() == rank ? 0 : blocks;
      for (int level = 0; level < node.children(); level++) {
        sent += node.subtree(level).size();
      }
      if (node.parent() == rank) {
        sent += blocks - hosts(runs.host(rank), runs.host(rank) + 1).size();
      }
      most = Math.max(most, sent);
    }
    return most;
  }

  private int carried(int host, int k) {
    int end = host + count(k);
    int wrapped = Math.max(0, end - runs.hosts());
    return hosts(host, end - wrapped).size() + hosts(0, wrapped).size();
  }

  private BlockRange all() {
    return new BlockRange(0, blocks);
  }

  private BlockRange ranks(int from, int to) {
    return new BlockRange(from * each, to * each);
  }

  private BlockRange hosts(int from, int to) {
    return from >= to ? new BlockRange(0, 0) : ranks(runs.first(from), runs.last(to - 1) + 1);
  }

  /** A rank in its host's binomial tree. */
  private final class Node {
    private final int first;
    private final int number;
    private final RunTree tree;

    Node(int rank) {
      int host = runs.host(rank);
      this.first = runs.first(host);
      this.number = rank - first;
      this.tree = new RunTree(runs.length(host));
    }

    /** The level of the edge to the parent. */
    int level() {
      return tree.level(number);
    }

    /** The parent, or the rank itself if it leads its host. */
    int parent() {
      return first + tree.parent(number);
    }

    /** How many children it has, one on each of the lowest levels. */
    int children() {
      return tree.children(number);
    }

    int child(int level) {
      return first + tree.child(number, level);
    }

    BlockRange subtree(int level) {
      int child = tree.child(number, level);
      return ranks(first + child, first + tree.end(child));
    }

    /** The parts of the rank and those below it, of a rank that has a parent. */
    BlockRange subtree() {
      return ranks(first + number, first + tree.end(number));
    }
  }
}
