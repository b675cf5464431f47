package org.sparkcollectives.algorithm.scan;

import static org.sparkcollectives.algorithm.ScheduleBuilder.OPERAND;
import static org.sparkcollectives.algorithm.ScheduleBuilder.VECTOR;

import java.util.List;
import org.sparkcollectives.algorithm.ScheduleBuilder;
import org.sparkcollectives.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.algorithm.Traits;
import org.sparkcollectives.algorithm.scan.ScanTiming.Place;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Exclusive scan of one half of the blocks along each of two in-order binary trees, pipelined both
 * ways.
 *
 * <p><b>Source.</b> Sanders, Speck, Träff 2009 (doi:10.1016/j.parco.2009.09.001), Section 4.3, for
 * the inclusive scan.
 *
 * <p><b>Idea.</b> The same messages in the same rounds as {@link TwoTreeScan}. A rank keeps what
 * its left child sends up apart from its own vector, which its parent and its right child are to
 * get but which is no part of its result. Rank 0 keeps its vector.
 *
 * <p><b>Cost.</b> As {@link TwoTreeScan}, with up to one combination more per block at ranks with
 * two children.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector, the blocks on their way, and at inner
 * nodes the left child's blocks from their way up to their way down: in the order of log2 p blocks,
 * or all of the tree's where there are fewer.
 *
 * <p><b>Example.</b> p = 3, b = 2: block 0 goes up 0→1→2; block 1 goes up 1→0→2 and down 0→1; ranks
 * 1 and 2 take what they receive as the result.
 */
public final class TwoTreeExscan extends ScheduledAlgorithm {
  private static final int BEFORE = 2;
  private static final int UP_TO = 3;

  /** Makes the algorithm. */
  public TwoTreeExscan() {
    super(
        Collective.EXSCAN,
        "two-tree",
        new Traits(
            true,
            "two-tree 2009, 4.3",
            "each half of the blocks up and down one of two in-order trees; for long vectors",
            "<= 4 ceil(log2(p+2)) - 5 + 4 ceil(b/2)",
            "b + 2 ceil(b/2)"));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    ScanTiming timing = new ScanTiming(problem);
    for (int tree = 0; tree <= 1; tree++) {
      Place place = Place.of(timing.trees(), tree, rank);
      for (int i = 0; i < timing.count(tree); i++) {
        planUp(timing, place, i, builder);
        planDown(timing, place, i, builder);
      }
    }
  }

  private static void planUp(ScanTiming timing, Place place, int i, ScheduleBuilder builder) {
    BlockRange block = timing.block(place.tree(), i);
    int left = place.hasLeft() ? timing.up(place.tree(), place.leftArrival(), i) : -1;
    int right =
        place.hasRight() && place.sendsUp() ? timing.up(place.tree(), place.rightArrival(), i) : -1;
    if (right >= 0) {
      builder.receive(right, place.right(), OPERAND, block);
      if (left > right || left < 0 || place.receivesDown()) {
        builder.combine(right, OPERAND, VECTOR, OPERAND, block);
      }
      if (right > left && left >= 0) {
        builder.combine(right, OPERAND, place.receivesDown() ? BEFORE : UP_TO, OPERAND, block);
      }
    }
    if (left >= 0) {
      planLeft(place, left, right, block, builder);
    }
    if (place.sendsUp()) {
      int slot = left >= 0 || right >= 0 ? OPERAND : VECTOR;
      builder.send(timing.up(place.tree(), place.arrival(), i), place.parent(), slot, block);
    }
  }

  /**
   * Takes the left child's sum; right is the round of the right child's, -1 if it is not needed.
   */
  private static void planLeft(
      Place place, int left, int right, BlockRange block, ScheduleBuilder builder) {
    if (!place.needsOwn()) {
      builder.receive(left, place.left(), VECTOR, block);
      return;
    }
    builder.receive(left, place.left(), BEFORE, block);
    if (place.sendsUp() && right < left) {
      int rest = right >= 0 ? OPERAND : VECTOR;
      builder.combine(left, OPERAND, BEFORE, rest, block);
    }
    if (!place.receivesDown()) {
      if (place.hasRight()) {
        builder.combine(left, UP_TO, BEFORE, VECTOR, block);
      }
      builder.copy(left, VECTOR, BEFORE, block);
    }
  }

  private static void planDown(ScanTiming timing, Place place, int i, ScheduleBuilder builder) {
    BlockRange block = timing.block(place.tree(), i);
    if (place.receivesDown()) {
      planResult(place, timing.down(place.arrival(), i), block, builder);
    }
    if (place.sendsLeft()) {
      builder.send(timing.down(place.leftArrival(), i), place.left(), OPERAND, block);
    }
    if (place.hasRight()) {
      int slot = place.receivesDown() || place.hasLeft() ? UP_TO : VECTOR;
      builder.send(timing.down(place.rightArrival(), i), place.right(), slot, block);
    }
  }

  /**
   * Takes the sum of all before the subtree, and makes the result and what the right child gets.
   */
  private static void planResult(
      Place place, int round, BlockRange block, ScheduleBuilder builder) {
    if (!place.hasLeft() && !place.hasRight()) {
      builder.receive(round, place.parent(), VECTOR, block);
      return;
    }
    builder.receive(round, place.parent(), OPERAND, block);
    if (!place.hasRight()) {
      int before = place.needsOwn() ? BEFORE : VECTOR;
      builder.combine(round, VECTOR, OPERAND, before, block);
      return;
    }
    int result = OPERAND;
    if (place.hasLeft()) {
      builder.combine(round, BEFORE, OPERAND, BEFORE, block);
      result = BEFORE;
    }
    builder.combine(round, UP_TO, result, VECTOR, block);
    builder.copy(round, VECTOR, result, block);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(new Phase(new ScanTiming(problem).rounds(), 1, 2));
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : new ScanTiming(problem).blocksSent();
  }

  @Override
  public int naturalBlocks(int size) {
    return 0;
  }
}
