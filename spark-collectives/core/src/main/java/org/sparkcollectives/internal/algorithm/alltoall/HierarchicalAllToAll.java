package org.sparkcollectives.internal.algorithm.alltoall;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

/**
 * All-to-all within hosts, between hosts, and within hosts again, with one message from each host
 * to each other one.
 *
 * <p><b>Source.</b> Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 4, the decomposition by
 * hosts, applied to the direct exchange of Thakur, Rabenseifner, Gropp 2005
 * (doi:10.1177/1094342005051521), Section 4.3.
 *
 * <p><b>Idea.</b> The other hosts are shared out among the ranks of a host. A rank collects what
 * the ranks of its host have for the hosts that it minds, exchanges it with the ranks that mind its
 * own host there, and deals out what has come. So a network card sends h - 1 messages of g² blocks
 * instead of g(p - g) of one, and all ranks of a host work. If a host has more ranks than there are
 * other hosts, several share what is for one of these ({@link HostLanes}).
 *
 * <p><b>Cost.</b> For m bytes in all blocks of a rank, h hosts of g ranks: at most 2(g - 1) rounds
 * in memory, 2(α + m(1 - 1/g)β) with one rank's messages after each other, and h - 1 between hosts,
 * (h - 1)α + gm(1 - 1/h)β for all ranks of a card.
 *
 * <p><b>Restrictions.</b> None. A rank's schedule has about 2p pieces. <b>Memory.</b> The vector
 * and about 2p blocks that pass through.
 *
 * <p><b>Example.</b> Hosts {0, 1}, {2, 3}, {4, 5}: 0 minds the next host and 1 the one after it.
 * 0→1 its blocks for 1, 4 and 5, 1→0 its blocks for 0, 2 and 3; 0→2 what both have for 2 and 3; 1→5
 * what both have for 4 and 5; 0→1 what 4 and 5 have for 1, 1→0 what 2 and 3 have for 0.
 */
public final class HierarchicalAllToAll extends ScheduledAlgorithm {
  private static final int PASSING = 1;

  private volatile @Nullable Known latest;

  private record Known(int size, Topology topology, List<Phase> phases) {}

  /** Makes the algorithm. */
  public HierarchicalAllToAll() {
    super(
        Collective.ALLTOALL,
        "hierarchical",
        new Traits(
            true,
            "scan 2006, 4; mpich 2005, 4.3",
            "one message from host to host, collected and dealt out within hosts; for short blocks",
            "<= 2(g - 1) + h - 1; h = 1: p - 1",
            "p - 1; g > 1 and h > 1: <= p - 1 + 2(g - 1)(h + g - 2)",
            Set.of(Traits.Feature.HIERARCHICAL, Traits.Feature.ROAMING)));
  }

  // ---- schedule --------------------------------------------------------------------------------

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    new Part(problem, rank, builder).plan();
  }

  /** What one rank does. */
  private static final class Part {
    private final ScheduleBuilder builder;
    private final HostLanes lanes;
    private final PairBlocks blocks;
    private final int rank;
    private final int host;

    /** The ranks of the host. */
    private final int[] ranks;

    /** The rank's number among them. */
    private final int number;

    private final int firstBetween;

    Part(Problem problem, int rank, ScheduleBuilder builder) {
      this.builder = builder;
      this.lanes = new HostLanes(problem);
      this.blocks = new PairBlocks(problem.size());
      this.rank = rank;
      this.host = problem.topology().host(rank);
      this.ranks = problem.topology().ranksOf(host);
      this.number = Arrays.binarySearch(ranks, rank);
      this.firstBetween = problem.topology().mostRanksPerHost() - 1;
    }

    void plan() {
      int firstDealt = firstBetween + lanes.hosts() - 1;
      for (int way = 1; way < ranks.length; way++) {
        int to = (number + way) % ranks.length;
        int from = (number - way + ranks.length) % ranks.length;
        builder.send(way - 1, ranks[to], collected(number, to, VECTOR));
        builder.receive(way - 1, ranks[from], collected(from, number, PASSING));
        builder.send(firstDealt + way - 1, ranks[to], dealt(number, to, PASSING));
        builder.receive(firstDealt + way - 1, ranks[from], dealt(from, number, VECTOR));
      }
      for (int lane = lanes.first(host, number); lane < lanes.first(host, number + 1); lane++) {
        exchange(lane);
      }
    }

    /** What one member has for another one and for the ranks to which this one's lanes lead. */
    private List<Piece> collected(int from, int to, int passing) {
      List<Piece> pieces = new ArrayList<>();
      pieces.add(new Piece(VECTOR, blocks.of(ranks[from], ranks[to])));
      for (BlockRange run : lanes.runsAhead(host, to)) {
        pieces.add(new Piece(passing, blocks.of(ranks[from], run.from(), run.to())));
      }
      return pieces;
    }

    private void exchange(int lane) {
      int distance = lanes.distance(lane);
      int next = lanes.hostAt(host, distance);
      int previous = lanes.hostAt(host, -distance);
      int receiver = lanes.minding(next, lane);
      int sender = lanes.minding(previous, lane);
      int round = firstBetween + distance - 1;
      builder.send(round, receiver, exchanged(host, next, lane, this::slotOf));
      int[] arriving = lanes.ranksOf(host, lane).toArray();
      boolean own = Arrays.binarySearch(arriving, rank) >= 0;
      if (own && arriving.length == 1) {
        builder.receive(round, sender, exchanged(previous, host, lane, source -> VECTOR));
        return;
      }
      builder.receive(round, sender, exchanged(previous, host, lane, source -> PASSING));
      for (int source : own ? lanes.ranks(previous) : new int[0]) {
        builder.copy(round, VECTOR, PASSING, blocks.of(source, rank));
      }
    }

    /**
     * What all ranks of a host have for those to which a lane leads. The sender has its own blocks
     * where all others are in passing. The receiver takes those for itself like the others, so that
     * what one rank has for all of them is one run, and then copies them, unless it is the only
     * one.
     */
    private List<Piece> exchanged(int from, int to, int lane, IntUnaryOperator slotOf) {
      List<BlockRange> runs = HostLanes.runs(lanes.ranksOf(to, lane).toArray());
      List<Piece> pieces = new ArrayList<>();
      for (int source : lanes.ranks(from)) {
        for (BlockRange run : runs) {
          BlockRange range = blocks.of(source, run.from(), run.to());
          pieces.add(new Piece(slotOf.applyAsInt(source), range));
        }
      }
      return pieces;
    }

    /** Where the rank has what a rank of its host sends. */
    private int slotOf(int source) {
      return source == rank ? VECTOR : PASSING;
    }

    /** What has come by the lanes that one member minds, for another one. */
    private List<Piece> dealt(int from, int to, int slot) {
      List<Piece> pieces = new ArrayList<>();
      for (int lane = lanes.first(host, from); lane < lanes.first(host, from + 1); lane++) {
        BlockRange members = lanes.destinations(host, lane);
        if (members.from() <= to && to < members.to()) {
          for (int source : lanes.ranks(lanes.hostAt(host, -lanes.distance(lane)))) {
            pieces.add(new Piece(slot, blocks.of(source, ranks[to])));
          }
        }
      }
      return pieces;
    }
  }

  // ---- claims ----------------------------------------------------------------------------------

  /** Worked out once where a price asks several times, which takes time in the order of hosts². */
  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    Known known = latest;
    if (known == null
        || known.size() != problem.size()
        || !known.topology().equals(problem.topology())) {
      known = new Known(problem.size(), problem.topology(), allPhases(problem));
      latest = known;
    }
    return known.phases();
  }

  private static List<Phase> allPhases(Problem problem) {
    HostLanes lanes = new HostLanes(problem);
    int most = problem.topology().mostRanksPerHost();
    if (lanes.hosts() == 1) {
      return List.of(new Phase(most - 1, 1, 0, true, true));
    }
    List<Phase> phases = new ArrayList<>(collectPhases(lanes, most));
    phases.addAll(lanes.exchangePhases());
    phases.addAll(dealPhases(lanes, most));
    return Phase.merged(phases);
  }

  /** A phase for each way to another rank of the host. */
  private static List<Phase> collectPhases(HostLanes lanes, int most) {
    int[] largest = new int[most];
    for (int host = 0; host < lanes.hosts(); host++) {
      int members = lanes.members(host);
      for (int member = 0; member < members; member++) {
        largest[members - 1] = Math.max(largest[members - 1], 1 + lanes.ranksAhead(host, member));
      }
    }
    return within(largest, most - 1);
  }

  private static List<Phase> dealPhases(HostLanes lanes, int most) {
    int[] largest = new int[most];
    int rounds = 0;
    for (int host = 0; host < lanes.hosts(); host++) {
      int members = lanes.members(host);
      for (int member = 0; member < members; member++) {
        largest[members - 1] = Math.max(largest[members - 1], lanes.ranksBehind(host, member));
        rounds = Math.max(rounds, lanes.farthest(host, member));
      }
    }
    return within(largest, rounds);
  }

  /**
   * Rounds within hosts, of which the last ones are of the hosts with the most ranks.
   *
   * @param largest by number of ranks of a host, less 1, the largest message
   */
  private static List<Phase> within(int[] largest, int rounds) {
    Phase[] phases = new Phase[rounds];
    int blocks = 0;
    for (int way = largest.length - 1; way > 0; way--) {
      blocks = Math.max(blocks, largest[way]);
      if (way <= rounds) {
        phases[way - 1] = new Phase(1, blocks, 0, true, true);
      }
    }
    return List.of(phases);
  }

  /** {@inheritDoc} One message of each stage, as those of a stage do not wait for each other. */
  @Override
  public List<Phase> path(Problem problem, boolean fullDuplex) {
    List<Phase> path = new ArrayList<>();
    boolean within = false;
    for (Phase phase : phases(problem)) {
      if (path.isEmpty() || within != phase.local()) {
        path.add(phase.withRounds(1));
      }
      within = phase.local();
    }
    return path;
  }

  /**
   * {@inheritDoc} A rank sends its own blocks once, and beside that what it has collected and what
   * has come for others.
   */
  @Override
  public long blocksSent(Problem problem) {
    HostLanes lanes = new HostLanes(problem);
    long most = 0;
    for (int host = 0; host < lanes.hosts() && lanes.hosts() > 1; host++) {
      for (int member = 0; member < lanes.members(host); member++) {
        long collected = (lanes.members(host) - 1L) * lanes.ranksAhead(host, member);
        most = Math.max(most, collected + lanes.blocksDealt(host, member));
      }
    }
    return problem.size() - 1 + most;
  }
}
