package org.sparkcollectives.internal.algorithm.pattern;

import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.shape.FoldedRanks;
import org.sparkcollectives.schedule.BlockRange;

/**
 * The ranks' parts of a vector, taken together by the members of {@link FoldedRanks}: a member has
 * its own part and that of the rank that stands back for it. Groups of neighbouring members have a
 * run of blocks.
 *
 * @param blocks the number of blocks of the vector
 * @param folded which ranks are members
 */
public record FoldedParts(int blocks, FoldedRanks folded) {

  /**
   * The parts of a rank alone.
   *
   * @param rank a rank, member or not
   * @return its blocks
   */
  public BlockRange own(int rank) {
    return EvenParts.of(blocks, folded.size(), rank);
  }

  /**
   * The parts of the group of {@code 2^level} members that holds a member.
   *
   * @param member a member
   * @param level 0 to {@code folded.levels()}
   * @return the group's blocks
   */
  public BlockRange group(int member, int level) {
    int first = member >> level << level;
    return EvenParts.of(
        blocks, folded.size(), folded.rank(first), folded.rank(first + (1 << level)));
  }

  /**
   * A bound for the size of a group's parts.
   *
   * @param level 0 to {@code folded.levels()}
   * @return a number of blocks, at most one more than the largest group of that level has
   */
  public int largestGroup(int level) {
    return EvenParts.largest(blocks, folded.size(), folded.rank(1 << level));
  }

  /**
   * Enters what stands around a reduce-scatter among the members, one round for each level: a rank
   * that stands back sends its vector before it, and gets its part after it.
   *
   * @param builder takes the rounds, and which blocks the rank keeps
   * @param rank a rank, member or not
   */
  public void fold(ScheduleBuilder builder, int rank) {
    BlockRange all = new BlockRange(0, blocks);
    int end = 1 + folded.levels();
    builder.own(own(rank));
    if (folded.isFoldedAway(rank)) {
      builder.send(0, rank - 1, ScheduleBuilder.VECTOR, all);
      builder.receive(end, rank - 1, ScheduleBuilder.VECTOR, own(rank));
    } else if (folded.hasPartner(rank)) {
      builder.receiveRight(0, rank + 1, all);
      builder.send(end, rank + 1, ScheduleBuilder.VECTOR, own(rank + 1));
    }
  }

  /**
   * Whether any rank that stands back has a block.
   *
   * @return false if all their parts are empty
   */
  public boolean foldedHaveBlocks() {
    int end = 2 * folded.extra();
    if (blocks >= folded.size()) {
      return end > 0;
    }
    for (int block = 0; block < blocks; block++) {
      int owner = EvenParts.indexOf(blocks, folded.size(), block);
      if (owner >= end) {
        return false;
      }
      if (folded.isFoldedAway(owner)) {
        return true;
      }
    }
    return false;
  }
}
