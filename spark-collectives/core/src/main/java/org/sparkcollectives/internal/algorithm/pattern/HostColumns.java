package org.sparkcollectives.internal.algorithm.pattern;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.ArrayList;
import java.util.Arrays;
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
 * <p>The reduce-scatter has a step for every other row, the next one first. In g - 1 rounds the
 * ranks of a host exchange what they have for that row, each summing what is for its own column; in
 * one round more every rank sends its sum. The exchange of a step comes before the sending of the
 * step before, so that the network card has the next part when it has sent one. What is for the
 * host's own row is exchanged before the last sending. The allgather is the same backwards.
 */
public final class HostColumns {
  private final int blocks;
  private final Topology topology;
  private final int size;
  private final int hosts;
  private final int columns;
  private final int steps;

  /**
   * The table of a problem that is not {@linkplain #refusal refused}.
   *
   * @param problem a problem that divides the vector
   */
  public HostColumns(Problem problem) {
    blocks = problem.blocks();
    topology = problem.topology();
    size = problem.size();
    hosts = topology.hosts(size);
    columns = topology.mostRanksPerHost();
    steps = hosts - 1;
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
    return EvenParts.of(blocks, size, rank);
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

  /** The round in which a step's sums go to their row: after the next step's exchange. */
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
    private final int rank;
    private final int host;
    private final int column;

    Cell(int rank) {
      this.rank = rank;
      host = topology.host(rank);
      column = Arrays.binarySearch(topology.ranksOf(host), rank);
    }

    void enter(Way way) {
      for (int step = 0; step < steps; step++) {
        int row = rows.shift(host, step + 1);
        exchange(way, step, row);
        way.away(between(step), at(row, column), part(at(row, column)));
        way.home(between(step), at(rows.shift(host, -step - 1), column), part(rank));
      }
      exchange(way, steps, host);
    }

    /** What the ranks of this host have for a row goes to the columns that it is for. */
    private void exchange(Way way, int step, int row) {
      for (int places = 1; places < columns; places++) {
        int round = within(step) + places - 1;
        int next = ring.shift(column, places);
        int previous = ring.shift(column, -places);
        way.away(round, at(host, next), part(at(row, next)));
        way.home(round, at(host, previous), part(at(row, column)));
      }
    }

    private int at(int row, int place) {
      return topology.ranksOf(row)[place];
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
    Phase within = part(columns - 1, combining, true);
    Phase between = part(1, combining, false);
    if (columns == 1) {
      return List.of(between.withRounds(steps));
    }
    List<Phase> phases = new ArrayList<>();
    for (int step = 0; step <= steps; step++) {
      phases.add(within);
      if (step > 0) {
        phases.add(between);
      }
    }
    return Phase.merged(phases);
  }

  /**
   * The longest path of a part: once within a host and once between two.
   *
   * @param combining whether what comes is combined
   * @return up to two phases, as in the reduce-scatter
   */
  public List<Phase> path(boolean combining) {
    List<Phase> path = new ArrayList<>();
    if (columns > 1) {
      path.add(part(1, combining, true));
    }
    if (steps > 0) {
      path.add(part(1, combining, false));
    }
    return path;
  }

  private Phase part(int rounds, boolean combining, boolean local) {
    int largest = EvenParts.largest(blocks, size);
    return new Phase(rounds, largest, combining ? largest : 0, true, local);
  }

  /**
   * The most that a rank sends in the reduce-scatter: all but its part.
   *
   * @return a number of blocks
   */
  public long reduceScatterSends() {
    return (long) blocks - blocks / size;
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
      for (int host = 0; host < hosts; host++) {
        int part = part(topology.ranksOf(host)[column]).size();
        sum += part;
        largest = Math.max(largest, part);
      }
      most = Math.max(most, (columns - 1) * sum + (long) steps * largest);
    }
    return most;
  }
}
