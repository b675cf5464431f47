package org.sparkcollectives.internal.algorithm.pattern;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

/**
 * Reduce-scatter and allgather of a vector's parts on hosts of g ranks each, seen as a table: a
 * host is a row, and the i-th ranks of all hosts are column i. What a rank sends to other hosts is
 * of its own column, straight to the row that it is for (pairwise, Thakur, Rabenseifner, Gropp
 * 2005, Section 4.4); what is of other columns goes to their ranks within its host.
 *
 * <p>The reduce-scatter has a step for every block of a part that leaves a host: the next row's
 * first one, its second one … the last row's last one. In g - 1 rounds the ranks of a host exchange
 * what they have for such blocks, each summing that for its own column; in one round more every
 * rank sends its sum. The exchange of a step comes before the sending of the step before, so that
 * the network card has the next block when it has sent one. What is for the host's own row is
 * exchanged before the last sending. The allgather is the same backwards.
 */
public final class HostColumns {
  private final PartBounds parts;
  private final Topology topology;
  private final int size;
  private final int hosts;
  private final int columns;
  private final int longest;
  private final int steps;

  /** The ranks of each row. */
  private final int[][] ranks;

  /**
   * The table of a problem that is not {@linkplain #refusal refused}.
   *
   * @param problem a problem that divides the vector
   */
  public HostColumns(Problem problem) {
    parts = PartBounds.of(problem);
    topology = problem.topology();
    size = problem.size();
    hosts = topology.hosts(size);
    columns = topology.mostRanksPerHost();
    longest =
        problem.parts().isEmpty()
            ? EvenParts.largest(problem.blocks(), size)
            : Collections.max(problem.parts());
    steps = (hosts - 1) * longest;
    ranks = new int[hosts][];
    Arrays.setAll(ranks, topology::ranksOf);
  }

  /**
   * Why hosts are no table.
   *
   * @param problem what is to be solved
   * @return the cause, or null if they are
   */
  public static @Nullable String refusal(Problem problem) {
    Topology topology = problem.topology();
    return topology.fewestRanksPerHost() == topology.mostRanksPerHost()
        ? null
        : "it needs as many ranks on every host";
  }

  /**
   * The part of a rank.
   *
   * @param rank the rank
   * @return its blocks, maybe none
   */
  public BlockRange part(int rank) {
    return parts.of(rank);
  }

  // ---- rounds ----------------------------------------------------------------------------------

  /** The number of rounds. */
  private int rounds() {
    return (steps + 1) * (columns - 1) + steps;
  }

  /** The first round of the exchange of a step, or, after all steps, of what is for the own row. */
  private int within(int step) {
    return step * (columns - 1) + Math.max(0, step - 1);
  }

  /** The round in which a step's blocks go to their row: after the next step's exchange. */
  private int between(int step) {
    return (step + 2) * (columns - 1) + step;
  }

  /**
   * Enters a rank's part in the reduce-scatter.
   *
   * @param builder takes the rounds
   * @param rank the rank
   */
  public void reduceScatter(ScheduleBuilder builder, int rank) {
    new Cell(rank)
        .enter(
            new Way() {
              @Override
              public void away(int round, int peer, BlockRange blocks) {
                builder.send(round, peer, VECTOR, blocks);
              }

              @Override
              public void home(int round, int peer, BlockRange blocks) {
                builder.receiveRight(round, peer, blocks);
              }
            });
    builder.own(part(rank));
  }

  /**
   * Enters a rank's part in the allgather.
   *
   * @param builder takes the rounds
   * @param rank the rank
   */
  public void allgather(ScheduleBuilder builder, int rank) {
    int last = rounds() - 1;
    new Cell(rank)
        .enter(
            new Way() {
              @Override
              public void away(int round, int peer, BlockRange blocks) {
                builder.receive(last - round, peer, VECTOR, blocks);
              }

              @Override
              public void home(int round, int peer, BlockRange blocks) {
                builder.send(last - round, peer, VECTOR, blocks);
              }
            });
    builder.own(part(rank));
  }

  /** In which direction blocks go in the rounds of the reduce-scatter. */
  private interface Way {
    /** Blocks of a peer, or of its column, go to it. */
    void away(int round, int peer, BlockRange blocks);

    /** Blocks of this rank, or of its column, come from a peer. */
    void home(int round, int peer, BlockRange blocks);
  }

  /** A rank's place in the table. */
  private final class Cell {
    private final Ring rows = new Ring(hosts);
    private final Ring ring = new Ring(columns);
    private final int host;
    private final int column;

    Cell(int rank) {
      host = topology.host(rank);
      column = Arrays.binarySearch(ranks[host], rank);
    }

    void enter(Way way) {
      for (int step = 0; step < steps; step++) {
        int distance = step / longest + 1;
        int row = rows.shift(host, distance);
        int block = step % longest;
        exchange(way, step, row, block, block + 1);
        way.away(between(step), ranks[row][column], cut(row, column, block, block + 1));
        int from = ranks[rows.shift(host, -distance)][column];
        way.home(between(step), from, cut(host, column, block, block + 1));
      }
      exchange(way, steps, host, 0, longest);
    }

    /** What the ranks of this host have for blocks of a row's parts goes to their columns. */
    private void exchange(Way way, int step, int row, int from, int to) {
      for (int places = 1; places < columns; places++) {
        int round = within(step) + places - 1;
        int next = ring.shift(column, places);
        int previous = ring.shift(column, -places);
        way.away(round, ranks[host][next], cut(row, next, from, to));
        way.home(round, ranks[host][previous], cut(row, column, from, to));
      }
    }

    /** Those of a part's blocks that lie in a range, where its first one is 0. */
    private BlockRange cut(int row, int place, int from, int to) {
      BlockRange part = part(ranks[row][place]);
      return new BlockRange(
          Math.min(part.to(), part.from() + from), Math.min(part.to(), part.from() + to));
    }
  }

  // ---- claims ----------------------------------------------------------------------------------

  /**
   * The phases of the reduce-scatter; those of the allgather are the same backwards.
   *
   * @param combining whether what comes is combined
   * @return phases, with neighbours of one kind taken together
   */
  public List<Phase> phases(boolean combining) {
    Phase between = phase(1, 1, combining, false);
    if (columns == 1) {
      return List.of(between.withRounds(steps));
    }
    Phase within = phase(columns - 1, 1, combining, true);
    List<Phase> phases = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      phases.add(within);
      if (step > 0) {
        phases.add(between);
      }
    }
    phases.add(phase(columns - 1, longest, combining, true));
    if (steps > 0) {
      phases.add(between);
    }
    return Phase.merged(phases);
  }

  private static Phase phase(int rounds, int blocks, boolean combining, boolean local) {
    return new Phase(rounds, blocks, combining ? blocks : 0, true, local);
  }

  /**
   * The longest path of a block: once within a host and once between two.
   *
   * @return up to two phases
   */
  public List<Phase> path() {
    List<Phase> path = new ArrayList<>();
    if (columns > 1) {
      path.add(phase(1, steps > 0 ? 1 : longest, false, true));
    }
    if (steps > 0) {
      path.add(phase(1, 1, false, false));
    }
    return path;
  }

  /**
   * The most that a rank sends in the reduce-scatter: all but its part.
   *
   * @return a number of blocks
   */
  public long reduceScatterSends() {
    int all = parts.of(size - 1).to();
    int least = all;
    for (int rank = 0; rank < size; rank++) {
      least = Math.min(least, part(rank).size());
    }
    return (long) all - least;
  }

  /**
   * The most that a rank sends in the allgather: its part to its column, and its column to its
   * host.
   *
   * @return a number of blocks
   */
  public long allgatherSends() {
    long most = 0;
    for (int column = 0; column < columns; column++) {
      long sum = 0;
      int largest = 0;
      for (int[] row : ranks) {
        int part = part(row[column]).size();
        sum += part;
        largest = Math.max(largest, part);
      }
      most = Math.max(most, (columns - 1) * sum + (hosts - 1L) * largest);
    }
    return most;
  }
}
