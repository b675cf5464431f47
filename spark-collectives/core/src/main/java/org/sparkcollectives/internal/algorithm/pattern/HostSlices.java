package org.sparkcollectives.internal.algorithm.pattern;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

/**
 * Slices of a vector, as many as the host of fewest ranks has ranks, each with a leader on every
 * host. The ranks of a host divide the vector among them, the leaders of a slice the slice. On a
 * host of d times as many ranks, rounded down, d neighbouring ranks own a share each of a slice;
 * the first of them is its leader, and shares travel between it and the others along a tree. Ranks
 * beyond these own nothing. Operands are combined as they come.
 *
 * <p>Three hosts of 2, 3 and 5 ranks have two slices: the leaders are ranks 0 and 1, 2 and 3, 5 and
 * 7; 6 and 8 own shares, 4 and 9 nothing.
 */
public final class HostSlices {
  private final Topology topology;
  private final int blocks;
  private final int slices;
  private final int hosts;
  private final int most;

  /**
   * The slices of a problem.
   *
   * @param problem which ranks there are, on which hosts, and the number of blocks
   */
  public HostSlices(Problem problem) {
    this.topology = problem.topology();
    this.blocks = problem.blocks();
    this.slices = topology.hostSizes()[0];
    this.hosts = topology.hosts(problem.size());
    this.most = topology.mostRanksPerHost();
  }

  /**
   * Enters a rank's part in an all-reduce: slices summed on every host, each one between its
   * leaders, and all of them spread on every host.
   *
   * @param builder takes the rounds
   * @param rank the rank
   */
  public void allReduce(ScheduleBuilder builder, int rank) {
    int number = topology.host(rank);
    int[] ranks = topology.ranksOf(number);
    Seat seat = new Seat(within(ranks), ranks, Arrays.binarySearch(ranks, rank));
    seat.parts.reduceScatter(builder, 0, seat.member);
    int round = partRounds();
    collect(builder, round, seat);
    round += shareRounds();
    if (seat.leads()) {
      CyclicParts slice = between(seat.slice());
      slice.reduceScatter(builder, round, number);
      slice.allgather(builder, round + slice.rounds(), number);
    }
    round += 2 * Powers.ceilLog2(hosts);
    spread(builder, round, seat);
    round += shareRounds() + partRounds();
    seat.parts.allgather(builder, round - seat.parts.rounds(), seat.member);
  }

  /** Shares of a slice go to its leader. */
  private static void collect(ScheduleBuilder builder, int start, Seat seat) {
    for (int level = 0; level < seat.children(); level++) {
      int child = seat.tree.child(seat.node, level);
      builder.receive(start + level, seat.rank(child), VECTOR, seat.below(child));
    }
    if (seat.node > 0) {
      int parent = seat.rank(seat.tree.parent(seat.node));
      builder.send(start + seat.tree.level(seat.node), parent, VECTOR, seat.below(seat.node));
    }
  }

  /** And back from it. */
  private void spread(ScheduleBuilder builder, int start, Seat seat) {
    int last = start + shareRounds() - 1;
    if (seat.node > 0) {
      int parent = seat.rank(seat.tree.parent(seat.node));
      builder.receive(last - seat.tree.level(seat.node), parent, VECTOR, seat.below(seat.node));
    }
    for (int level = seat.children() - 1; level >= 0; level--) {
      int child = seat.tree.child(seat.node, level);
      builder.send(last - level, seat.rank(child), VECTOR, seat.below(child));
    }
  }

  /** How the ranks of a host divide the vector. */
  private CyclicParts within(int[] ranks) {
    int owners = slices * (ranks.length / slices);
    BlockRange all = new BlockRange(0, blocks);
    return new CyclicParts(all, ranks.length, owners, member -> ranks[member]);
  }

  /** How the leaders of a slice divide it. */
  private CyclicParts between(int slice) {
    BlockRange range = EvenParts.of(blocks, slices, slice);
    return new CyclicParts(range, hosts, hosts, host -> leader(host, slice));
  }

  private int leader(int host, int slice) {
    int[] ranks = topology.ranksOf(host);
    return ranks[slice * (ranks.length / slices)];
  }

  private int partRounds() {
    return Powers.ceilLog2(most);
  }

  private int shareRounds() {
    return Powers.ceilLog2(most / slices);
  }

  /** A rank's place among those of its host. */
  private final class Seat {
    private final CyclicParts parts;
    private final int[] ranks;
    private final int member;
    private final RunTree tree;
    private final boolean owns;

    /** The rank's place in the tree of its slice, 0 for its leader and for ranks beyond. */
    private final int node;

    Seat(CyclicParts parts, int[] ranks, int member) {
      this.parts = parts;
      this.ranks = ranks;
      this.member = member;
      this.tree = new RunTree(ranks.length / slices);
      this.owns = member < slices * tree.length();
      this.node = owns ? member % tree.length() : 0;
    }

    boolean leads() {
      return owns && node == 0;
    }

    int slice() {
      return member / tree.length();
    }

    int children() {
      return owns ? tree.children(node) : 0;
    }

    int rank(int other) {
      return ranks[member - node + other];
    }

    /** The shares of a node of the same tree and of those below it. */
    BlockRange below(int other) {
      int leader = member - node;
      return parts.parts(leader + other, leader + tree.end(other));
    }

    /** What the rank sends within its host. */
    long sent() {
      long sent = parts.sent(member) + (node > 0 ? below(node).size() : 0);
      for (int level = 0; level < children(); level++) {
        sent += below(tree.child(node, level)).size();
      }
      return sent;
    }
  }

  // ---- claims ----------------------------------------------------------------------------------

  /**
   * The phases of an all-reduce.
   *
   * @return a phase for each round
   */
  public List<Phase> phases() {
    CyclicParts slice = new CyclicParts(EvenParts.largest(blocks, slices), hosts);
    List<Phase> phases = new ArrayList<>(withinPhases(true));
    phases.addAll(slice.reduceScatterPhases());
    phases.addAll(slice.allgatherPhases());
    phases.addAll(HostParts.backwards(withinPhases(false)));
    return phases;
  }

  private List<Phase> withinPhases(boolean combining) {
    int[] parts = new int[partRounds()];
    int[] shares = new int[shareRounds()];
    for (int ranks : topology.hostSizes()) {
      int round = 0;
      for (Phase phase : within(new int[ranks]).reduceScatterPhases()) {
        parts[round] = Math.max(parts[round], phase.blocks());
        round++;
      }
      int each = ranks / slices;
      for (int level = 0; level < Powers.ceilLog2(each); level++) {
        int run = Math.min(1 << level, each - (1 << level));
        int largest = EvenParts.largest(blocks, slices * each, run);
        shares[level] = Math.max(shares[level], largest);
      }
    }
    List<Phase> phases = new ArrayList<>();
    for (int largest : parts) {
      phases.add(new Phase(1, largest, combining ? largest : 0, true, true));
    }
    for (int largest : shares) {
      phases.add(new Phase(1, largest, 0, true, true));
    }
    return phases;
  }

  /**
   * What the rank sends that sends most.
   *
   * @return a number of blocks
   */
  public long sent() {
    long mostSent = 0;
    for (int size : topology.hostSizes()) {
      int[] ranks = new int[size];
      CyclicParts parts = within(ranks);
      for (int member = 0; member < size; member++) {
        Seat seat = new Seat(parts, ranks, member);
        long between = seat.leads() ? sent(between(seat.slice()), size) : 0;
        mostSent = Math.max(mostSent, seat.sent() + between);
      }
    }
    return mostSent;
  }

  /** What a leader of a slice sends to other hosts, the most of those on hosts of one size. */
  private long sent(CyclicParts slice, int size) {
    if (topology.hostSizes().length == 1) {
      return slice.mostSent();
    }
    long mostSent = 0;
    for (int host = 0; host < hosts; host++) {
      if (topology.ranksOf(host).length == size) {
        mostSent = Math.max(mostSent, slice.sent(host));
      }
    }
    return mostSent;
  }
}
