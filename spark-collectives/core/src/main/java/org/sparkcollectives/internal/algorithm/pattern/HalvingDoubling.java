package org.sparkcollectives.internal.algorithm.pattern;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Phase;

/**
 * Reduce-scatter by vector halving with distance doubling, and allgather by vector doubling with
 * distance halving, in a group of {@code 2^e} members. After s halvings a member holds the blocks
 * {@link EvenParts#halved} of its lowest s index bits, combined over the {@code 2^s} members that
 * differ from it in these bits only; these are neighbours, so order is kept where members are in
 * rank order. Source: Thakur, Rabenseifner, Gropp 2005, Section 5.1.
 *
 * @param blocks the number of blocks of the vector
 * @param member the index of this rank in the group
 * @param rankOf the rank of an index in the group; for order, each run of {@code 2^s} indices from
 *     a multiple of {@code 2^s} on must be neighbouring members
 */
public record HalvingDoubling(int blocks, int member, IntUnaryOperator rankOf) {

  /**
   * The blocks that this member holds after some halvings.
   *
   * @param level the number of halvings
   * @return the blocks
   */
  public BlockRange held(int level) {
    return EvenParts.halved(blocks, member, level);
  }

  /**
   * Enters the halvings of levels 1 to {@code levels}, one per round.
   *
   * @param builder takes the rounds
   * @param round the round of the first halving
   * @param levels how many there are
   */
  public void reduceScatter(ScheduleBuilder builder, int round, int levels) {
    for (int level = 0; level < levels; level++) {
      int other = member ^ (1 << level);
      int peer = rankOf.applyAsInt(other);
      builder.send(
          round + level, peer, ScheduleBuilder.VECTOR, EvenParts.halved(blocks, other, level + 1));
      builder.receiveInOrder(round + level, peer, held(level + 1));
    }
  }

  /**
   * Enters the doublings that undo halvings, one per round.
   *
   * @param builder takes the rounds
   * @param round the round of the first doubling
   * @param from the level at which the members are
   * @param to the level that they are to reach, at most {@code from}
   */
  public void allgather(ScheduleBuilder builder, int round, int from, int to) {
    for (int level = from; level > to; level--) {
      int other = member ^ (1 << (level - 1));
      int peer = rankOf.applyAsInt(other);
      int at = round + from - level;
      builder.send(at, peer, ScheduleBuilder.VECTOR, held(level));
      builder.receive(at, peer, ScheduleBuilder.VECTOR, EvenParts.halved(blocks, other, level));
    }
  }

  /**
   * Enters the way of all parts to member 0, one level per round: of the members that differ in one
   * bit, the one that has it gives all it holds to the other and is done.
   *
   * @param builder takes the rounds
   * @param round the first round
   * @param from the level at which the members are
   */
  public void gather(ScheduleBuilder builder, int round, int from) {
    for (int level = from; level > 0; level--) {
      int bit = 1 << (level - 1);
      int other = member ^ bit;
      int at = round + from - level;
      if (member >= bit && member < 2 * bit) {
        builder.send(at, rankOf.applyAsInt(other), ScheduleBuilder.VECTOR, held(level));
      } else if (member < bit) {
        builder.receive(
            at,
            rankOf.applyAsInt(other),
            ScheduleBuilder.VECTOR,
            EvenParts.halved(blocks, other, level));
      }
    }
  }

  /**
   * The phases of halvings from the whole vector.
   *
   * @param blocks the number of blocks of the vector
   * @param levels how many there are
   * @return a phase for each
   */
  public static List<Phase> halvings(int blocks, int levels) {
    List<Phase> phases = new ArrayList<>();
    int half = blocks;
    for (int level = 0; level < levels; level++) {
      half = (half + 1) / 2;
      phases.add(new Phase(1, half, half));
    }
    return phases;
  }

  /**
   * The phases of doublings to the whole vector.
   *
   * @param blocks the number of blocks of the vector
   * @param levels how many there are
   * @return a phase for each
   */
  public static List<Phase> doublings(int blocks, int levels) {
    List<Phase> phases = new ArrayList<>();
    for (Phase halving : halvings(blocks, levels)) {
      phases.add(0, new Phase(1, halving.blocks()));
    }
    return phases;
  }

  /**
   * The phases of a gather of the whole vector.
   *
   * @param blocks the number of blocks of the vector
   * @param levels how many there are
   * @return a phase for each
   */
  public static List<Phase> gathers(int blocks, int levels) {
    List<Phase> phases = new ArrayList<>();
    for (Phase doubling : doublings(blocks, levels)) {
      phases.add(new Phase(1, doubling.blocks(), 0, false, false));
    }
    return phases;
  }

  /**
   * How many blocks a member sends in the halvings of the whole vector and the gather after them.
   *
   * @param blocks the number of blocks of the vector
   * @param member the member's index
   * @param levels the number of halvings
   * @return all but its part, and what it gives away at its highest bit
   */
  public static long gatherVolume(int blocks, int member, int levels) {
    int level = Integer.SIZE - Integer.numberOfLeadingZeros(member);
    int given = member == 0 ? 0 : EvenParts.halved(blocks, member, level).size();
    return (long) blocks - EvenParts.halved(blocks, member, levels).size() + given;
  }

  /**
   * How many blocks a member sends in the doublings from a level up to the whole vector.
   *
   * @param blocks the number of blocks of the vector
   * @param member the member's index
   * @param levels the level at which it starts
   * @return the sum of its held blocks over levels 1 to {@code levels}
   */
  public static long doublingVolume(int blocks, int member, int levels) {
    long sum = 0;
    for (int level = 1; level <= levels; level++) {
      sum += EvenParts.halved(blocks, member, level).size();
    }
    return sum;
  }
}
