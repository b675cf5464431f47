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
 * <p>The reduce-scatter has steps for the first blocks of all rows' parts, the next row's first and
 * the own one's last, then for the second ones, and so on. In g - 1 rounds the ranks of a host
 * exchange what they have for a step's blocks, each summing that for its own column; in one round
 * more, unless the row is their own, every rank sends its sum. The exchange of a step comes before
 * the sending of the step before, so that the network card has the next block when it has sent one.
 * The allgather is the same backwards.
 */
public final class HostColumns {
  private final PartBounds parts;
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
    parts = PartBounds.of(problem);
    topology = problem.topology();
    size = problem.size();
    hosts = topology.hosts(size);
    columns = topology.mostRanksPerHost();
    steps = hosts * longest(problem);
  }

  private static int longest(Problem problem) {
    return problem.parts().isEmpty()
        ? EvenParts.largest(problem.blocks(), problem.size())
        : Collections.max(problem.parts());
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
    return steps * (columns - 1) + sendings(steps);
  }

  /** The first round of a step's exchange. */
  private int within(int step) {
    return step * (columns - 1) + sendings(Math.max(0, step - 1));
  }

  /** The round in which a step's sums go to their row: after the next step's exchange. */
  private int between(int step) {
    return (step + 2) * (columns - 1) + sendings(step);
  }

  /** How many of so many first steps have a row that is not the own one. */
  private int sendings(int count) {
    return count - count / hosts;
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
      column = Arrays.binarySearch(topology.ranksOf(host), rank);
    }

    void enter(Way way) {
      for (int step = 0; step < steps; step++) {
        int block = step / hosts;
        int distance = step % hosts + 1;
        int row = rows.shift(host, distance);
        exchange(way, step, row, block);
        if (distance < hosts) {
          int previous = rows.shift(host, -distance);
          way.away(between(step), at(row, column), blockOf(row, column, block));
          way.home(between(step), at(previous, column), blockOf(host, column, block));
        }
      }
    }

    /** What the ranks of this host have for a block of a row's parts goes to their columns. */
    private void exchange(Way way, int step, int row, int block) {
      for (int places = 1; places < columns; places++) {
        int round = within(step) + places - 1;
        int next = ring.shift(column, places);
        int previous = ring.shift(column, -places);
        way.away(round, at(host, next), blockOf(row, next, block));
        way.home(round, at(host, previous), blockOf(row, column, block));
      }
    }

    /** A block of a part, none where that has fewer. */
    private BlockRange blockOf(int row, int place, int block) {
      BlockRange part = part(at(row, place));
      return block < part.size() ? BlockRange.of(part.from() + block) : BlockRange.NONE;
    }
  }

  private int at(int row, int column) {
    return topology.ranksOf(row)[column];
  }

  // ---- claims ----------------------------------------------------------------------------------

  /**
   * The phases of the reduce-scatter; those of the allgather are the same backwards.
   *
   * @param combining whether what comes is combined
   * @return phases, with neighbours of one kind taken together
   */
  public List<Phase> phases(boolean combining) {
    Phase between = phase(1, combining, false);
    if (columns == 1) {
      return List.of(between.withRounds(sendings(steps)));
    }
    Phase within = phase(columns - 1, combining, true);
    List<Phase> phases = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      phases.add(within);
      if (step % hosts > 0) { // the step before has another row
        phases.add(between);
      }
    }
    return Phase.merged(phases);
  }

  private static Phase phase(int rounds, boolean combining, boolean local) {
    return new Phase(rounds, 1, combining ? 1 : 0, true, local);
  }

  /**
   * The longest path of a block: once within a host and once between two.
   *
   * @return up to two phases
   */
  public List<Phase> path() {
    List<Phase> path = new ArrayList<>();
    if (columns > 1) {
      path.add(phase(1, false, true));
    }
    if (hosts > 1) {
      path.add(phase(1, false, false));
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
      for (int row = 0; row < hosts; row++) {
        int part = part(at(row, column)).size();
        sum += part;
        largest = Math.max(largest, part);
      }
      most = Math.max(most, (columns - 1) * sum + (hosts - 1L) * largest);
    }
    return most;
  }
}
