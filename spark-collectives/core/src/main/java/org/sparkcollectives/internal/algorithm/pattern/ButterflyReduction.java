package org.sparkcollectives.internal.algorithm.pattern;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.shape.Butterfly;
import org.sparkcollectives.internal.shape.Butterfly.Group;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Phase;

/**
 * A reduction of all ranks' vectors to parts by halving in a {@link Butterfly}, and the way back
 * from parts to the vector. Two members that join exchange halves of what they hold. Of three, the
 * one that is eliminated gives a half each to the others, which takes a round more; first its
 * neighbour gets one, so that operands stay in rank order:
 *
 * <pre>
 *   members 0, 1, 2, of which 0 is eliminated; 1 keeps half a, 2 keeps half b
 *   round 0:  0→1 a,  1→2 b      1 has a of 0 and 1, 2 has b of 1 and 2
 *   round 1:  2→1 a,  0→2 b      both have all
 * </pre>
 *
 * <p>The halves are those of {@link EvenParts#halved}; a butterfly with a root has the lower ones
 * on the root's side.
 *
 * @param blocks the number of blocks of the vector
 * @param butterfly the members of each level
 */
public record ButterflyReduction(int blocks, Butterfly butterfly) {

  /** One message of the reduction; backwards it goes the other way. */
  private interface Transfer {
    void enter(int round, int from, int to, BlockRange half);
  }

  /**
   * The number of rounds to the parts, and of those back.
   *
   * @return one for each level, and one more for those with triples
   */
  public int rounds() {
    return start(butterfly.levels());
  }

  /** The round in which a level begins. */
  private int start(int level) {
    int round = level;
    for (int below = 0; below < level; below++) {
      round += butterfly.eliminates(below) ? 1 : 0;
    }
    return round;
  }

  /** Which halves a path stands for: bit l is 0 for the lower one at level l. */
  private int sides(int path) {
    return butterfly.root() == Butterfly.NONE ? path : path ^ butterfly.path(butterfly.root());
  }

  /**
   * Enters the rounds from all vectors to parts of the result, 0 to {@code rounds() - 1}.
   *
   * @param builder takes the rounds
   * @param rank the rank
   */
  public void reduceScatter(ScheduleBuilder builder, int rank) {
    walk(
        rank,
        (round, from, to, half) -> {
          if (from == rank) {
            builder.send(round, to, VECTOR, half);
          } else if (to == rank) {
            builder.receiveInOrder(round, from, half);
          }
        });
  }

  /**
   * Enters the same rounds backwards, with results instead of operands: from parts to all vectors.
   *
   * @param builder takes the rounds
   * @param round the number of the first round
   * @param rank the rank
   */
  public void allgather(ScheduleBuilder builder, int round, int rank) {
    int last = round + rounds() - 1;
    walk(
        rank,
        (before, from, to, half) -> {
          if (to == rank) {
            builder.send(last - before, from, VECTOR, half);
          } else if (from == rank) {
            builder.receive(last - before, to, VECTOR, half);
          }
        });
  }

  private void walk(int rank, Transfer transfer) {
    int path = butterfly.path(rank);
    int stays = butterfly.eliminated(rank);
    int member = rank;
    for (int level = 0; level < Math.min(stays + 1, butterfly.levels()); level++) {
      member = butterfly.joined(level, member);
      walk(level, butterfly.group(level, member), path, transfer);
    }
  }

  /** The messages between the ranks of a path in one group. */
  private void walk(int level, Group group, int path, Transfer transfer) {
    int round = start(level);
    int low = butterfly.rank(level, group.low(), path);
    int high = butterfly.rank(level, group.high(), path);
    int bit = 1 << level;
    BlockRange lower = EvenParts.halved(blocks, sides(path & ~bit), level + 1);
    BlockRange higher = EvenParts.halved(blocks, sides(path | bit), level + 1);
    if (group.out() == Butterfly.NONE) {
      transfer.enter(round, high, low, lower);
      transfer.enter(round, low, high, higher);
      return;
    }
    int out = butterfly.rank(level, group.out(), path);
    boolean first = group.out() < group.low();
    int middle = first ? low : high;
    int far = first ? high : low;
    transfer.enter(round, out, middle, first ? lower : higher);
    transfer.enter(round, middle, far, first ? higher : lower);
    transfer.enter(round + 1, far, middle, first ? lower : higher);
    transfer.enter(round + 1, out, far, first ? higher : lower);
  }

  /**
   * Enters the way of all parts to the root, by halves of the ranks that were not eliminated.
   *
   * @param builder takes the rounds
   * @param round the number of the first round
   * @param rank the rank
   */
  public void gather(ScheduleBuilder builder, int round, int rank) {
    int levels = butterfly.levels();
    if (butterfly.eliminated(rank) == levels) {
      new HalvingDoubling(
              blocks, sides(butterfly.path(rank)), index -> butterfly.rank(levels, 0, sides(index)))
          .gather(builder, round, levels);
    }
  }

  /**
   * The claim of the reduction to parts.
   *
   * @return a phase for each level
   */
  public List<Phase> reduceScatterPhases() {
    return withEliminations(HalvingDoubling.halvings(blocks, butterfly.levels()), false);
  }

  /**
   * The claim of the way back.
   *
   * @return a phase for each level
   */
  public List<Phase> allgatherPhases() {
    return withEliminations(HalvingDoubling.doublings(blocks, butterfly.levels()), true);
  }

  private List<Phase> withEliminations(List<Phase> rounds, boolean backwards) {
    List<Phase> phases = new ArrayList<>(rounds.size());
    for (int i = 0; i < rounds.size(); i++) {
      int level = backwards ? rounds.size() - 1 - i : i;
      phases.add(rounds.get(i).withRounds(butterfly.eliminates(level) ? 2 : 1));
    }
    return phases;
  }

  /**
   * How many blocks a rank sends to parts and back: the one whose path is all ones has the largest
   * parts and is in the last triple of each level. It gives all but its part away, then what it
   * holds at each level, twice where it is one of three.
   *
   * @return the blocks of the rank that sends most, without a root
   */
  public long mostSent() {
    int levels = butterfly.levels();
    int path = (1 << levels) - 1;
    long sum = (long) blocks - EvenParts.halved(blocks, path, levels).size();
    for (int level = 0; level < levels; level++) {
      int held = EvenParts.halved(blocks, path, level + 1).size();
      sum += butterfly.eliminates(level) ? 2L * held : held;
    }
    return sum;
  }
}
