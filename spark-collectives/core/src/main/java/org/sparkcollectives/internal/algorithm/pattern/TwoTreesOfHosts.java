package org.sparkcollectives.internal.algorithm.pattern;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.pattern.TwoTreePipeline.Edge;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.internal.shape.TwoTrees;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

/**
 * When each block crosses each edge of two trees of hosts, and each link of the chains within them.
 * The root's host is outside the trees; the other hosts, counted from it on, are their nodes. The
 * ranks of a host are a chain, the root or the lowest rank first. In a broadcast the first one, the
 * entry, receives the blocks of both trees, each passes them to the next, and the last one, the
 * exit, sends them to the entries of the host's children. A reduction is the same in reverse. So
 * each host sends and receives the vector about once, and a rank of a host of several has the
 * network for what it sends or for what it receives, not for both.
 *
 * <p>An edge takes as many rounds more as the longest chain has links, rounded up to an even
 * number, so that every rank sends and receives one block in a round at most, as {@link TwoTrees}
 * do. Source of the trees: Sanders, Speck, Träff 2009 (doi:10.1016/j.parco.2009.09.001), Section
 * 4.1; of hosts as nodes: Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 4. The chains are
 * in neither.
 */
public final class TwoTreesOfHosts {
  private static final int TREES = 2;

  private final Topology topology;
  private final int root;
  private final Ring hosts;

  /** Asked for edges between nodes, and given those between ranks; of one host no node is used. */
  private final TwoTreePipeline pipeline;

  /** The round in which the root's host sends its first block. */
  private final int lead;

  /**
   * Trees and chains.
   *
   * @param problem which ranks there are, on which hosts, and the number of blocks
   * @param root the rank that has the vector, or gets the result; the lowest one of its host where
   *     edges are entered
   * @param slack how many rounds more than is needed an edge gives a block for crossing it and for
   *     each link of a chain, an even number
   */
  public TwoTreesOfHosts(Problem problem, int root, int slack) {
    this.topology = problem.topology();
    this.root = root;
    this.hosts = new Ring(topology.hosts(problem.size()));
    int links = topology.mostRanksPerHost() - 1;
    int rounds = links * (1 + slack);
    TwoTrees trees = TwoTrees.anyOrder(Math.max(1, hosts.size() - 1));
    this.pipeline =
        new TwoTreePipeline(
            trees.withSlack(slack + rounds + rounds % 2), problem.blocks(), rank -> rank);
    this.lead = hosts.size() == 1 ? links : topology.ranksOf(topology.host(root)).length - 1;
  }

  /**
   * The number of rounds of one direction, from or to the root.
   *
   * @return a number of rounds
   */
  public int rounds() {
    return Math.max(pipeline.end(0, latest(0)), pipeline.end(1, latest(1)));
  }

  /** When the first block of a tree reaches the last rank. */
  private int latest(int tree) {
    if (hosts.size() == 1) {
      return arrival(tree, TwoTrees.NONE, lead);
    }
    int most = topology.mostRanksPerHost();
    if (topology.fewestRanksPerHost() == most) {
      return lead + tree + pipeline.trees().latestArrival() + most - 1;
    }
    int latest = 0;
    for (int node = 0; node < hosts.size() - 1; node++) {
      int last = topology.ranksOf(host(node)).length - 1;
      latest = Math.max(latest, arrival(tree, node, last));
    }
    return latest;
  }

  /**
   * The messages of which each needs what the one before has brought, from the root to the last
   * rank or back.
   *
   * @return at most those between hosts, then at most those within hosts
   */
  public List<Phase> path() {
    int levels = hosts.size() == 1 ? 0 : pipeline.trees().levels();
    int links = (levels + 1) * (topology.mostRanksPerHost() - 1);
    return List.of(new Phase(levels, 1), new Phase(links, 1, 0, true, true));
  }

  /**
   * The most blocks that a rank sends in a broadcast.
   *
   * @return all, or one more where a host has two children that get the greater half
   */
  public int mostSent() {
    return hosts.size() > 3 ? 2 * pipeline.count(0) : pipeline.blocks();
  }

  /**
   * Enters one rank's part of the broadcast of the root's vector, first blocks first.
   *
   * @param builder takes the rounds
   * @param rank the rank
   */
  public void broadcast(ScheduleBuilder builder, int rank) {
    pipeline.broadcast(builder, above(rank), below(rank), round -> round);
  }

  /**
   * Enters one rank's part of the broadcast of what a {@link #reduce} before it has brought to the
   * root: each tree's last blocks, which come last, go first.
   *
   * @param builder takes the rounds
   * @param start the first round
   * @param rank the rank
   */
  public void broadcastReduced(ScheduleBuilder builder, int start, int rank) {
    pipeline.broadcastReduced(builder, above(rank), below(rank), round -> start + round);
  }

  /**
   * Enters one rank's part of the reduction of all vectors into the root's, in any order.
   *
   * @param builder takes the rounds
   * @param rank the rank
   */
  public void reduce(ScheduleBuilder builder, int rank) {
    pipeline.reduce(builder, above(rank), below(rank), rounds(), round -> round);
  }

  private int host(int node) {
    return hosts.shift(topology.host(root), node + 1);
  }

  /** The round in which a broadcast's first block of a tree reaches a member of a host's chain. */
  private int arrival(int tree, int node, int member) {
    return node == TwoTrees.NONE
        ? tree + member - 1
        : lead + pipeline.trees().arrival(tree, node) + member;
  }

  private List<Edge> above(int rank) {
    int host = topology.host(rank);
    int node = hosts.shift(host, -topology.host(root)) - 1;
    int[] chain = topology.ranksOf(host);
    int member = Arrays.binarySearch(chain, rank);
    List<Edge> edges = new ArrayList<>(TREES);
    if (member > 0) {
      for (int tree = 0; tree < TREES; tree++) {
        edges.add(new Edge(tree, chain[member - 1], rank, arrival(tree, node, member)));
      }
      return edges;
    }
    for (Edge edge : pipeline.above(node)) {
      int[] parent = topology.ranksOf(host(edge.parent()));
      edges.add(new Edge(edge.tree(), parent[parent.length - 1], rank, lead + edge.arrival()));
    }
    return edges;
  }

  private List<Edge> below(int rank) {
    int host = topology.host(rank);
    int node = hosts.shift(host, -topology.host(root)) - 1;
    int[] chain = topology.ranksOf(host);
    int next = Arrays.binarySearch(chain, rank) + 1;
    List<Edge> edges = new ArrayList<>(TREES);
    if (next < chain.length) {
      for (int tree = 0; tree < TREES; tree++) {
        edges.add(new Edge(tree, rank, chain[next], arrival(tree, node, next)));
      }
      return edges;
    }
    if (hosts.size() > 1) {
      for (Edge edge : pipeline.below(node)) {
        int entry = topology.lowestRank(host(edge.child()));
        edges.add(new Edge(edge.tree(), rank, entry, lead + edge.arrival()));
      }
    }
    return edges;
  }
}
