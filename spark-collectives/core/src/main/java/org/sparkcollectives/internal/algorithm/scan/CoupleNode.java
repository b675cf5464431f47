package org.sparkcollectives.internal.algorithm.scan;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.OPERAND;
import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;
import static org.sparkcollectives.internal.shape.TwoTrees.NONE;

import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.shape.TwoTrees;
import org.sparkcollectives.schedule.BlockRange;

/**
 * What the members a and b of a couple do in one tree. The left child is a's, the right one b's,
 * the parent that of one of them, the upper member; with L and R for the sums of the subtrees and P
 * for the sum of all before, a knows L ⊕ a on the way up and b knows b ⊕ R.
 *
 * <ul>
 *   <li>Upper member b: a passes it L ⊕ a, so that b can send up the whole and already has its part
 *       of the result. What b hears from above it passes to a.
 *   <li>Upper member a: b passes it b ⊕ R. When a has heard P, it passes b P ⊕ L ⊕ a.
 *   <li>Where nothing comes from above, or nothing goes up, a passes b L ⊕ a in the round that is
 *       free.
 * </ul>
 */
final class CoupleNode {
  /** What a couple's partner passes, where the operand's slot is in use. */
  private static final int PASSED = 2;

  /** The sum of all up to the rank, in an exclusive scan. */
  private static final int UP_TO = 3;

  private final CoupleTiming timing;
  private final int tree;
  private final int node;
  private final int parent;
  private final int left;
  private final int right;
  private final int arrival;
  private final int upper;
  private final boolean sendsUp;
  private final boolean hearsDown;

  CoupleNode(CoupleTiming timing, int tree, int node) {
    TwoTrees trees = timing.trees();
    this.timing = timing;
    this.tree = tree;
    this.node = node;
    this.parent = trees.parent(tree, node);
    this.left = trees.left(tree, node);
    this.right = trees.right(tree, node);
    this.arrival = trees.arrival(tree, node);
    this.upper = timing.couples().upper(node, arrival);
    this.sendsUp = timing.chain() > 0 || !trees.onRightSpine(tree, node);
    this.hearsDown = !trees.onLeftSpine(tree, node);
  }

  /** Whether a passes its part to b in the round in which b, as upper member, would send it up. */
  boolean passesEarly() {
    return upper == 1 || (!sendsUp && !hearsDown);
  }

  /** Whether a passes its part to b in the round in which it would pass what comes from above. */
  boolean passesLate() {
    return upper == 0 && sendsUp && !hearsDown;
  }

  private boolean hearsRight() {
    return right != NONE && sendsUp;
  }

  /** How often a member sends each block. */
  int sends(int member) {
    int count = 0;
    if (member == 0) {
      count += passesEarly() ? 1 : 0;
      count += upper == 0 && (hearsDown || passesLate()) ? 1 : 0;
      count += left != NONE && hearsDown ? 1 : 0;
    } else {
      count += upper == 0 && sendsUp ? 1 : 0;
      count += upper == 1 && hearsDown ? 1 : 0;
      count += right != NONE ? 1 : 0;
    }
    return count + (member == upper && sendsUp ? 1 : 0);
  }

  private static int rank(int node, int member) {
    return 2 * node + member;
  }

  /** The rank of the upper member. */
  int upperRank() {
    return rank(node, upper);
  }

  private int child(int below) {
    return rank(below, timing.couples().upper(below, arrivalOf(below)));
  }

  private int arrivalOf(int below) {
    return timing.trees().arrival(tree, below);
  }

  private int above() {
    return parent == NONE
        ? rank(timing.trees().size(), 0)
        : rank(parent, timing.couples().lower(parent, arrival));
  }

  void plan(boolean exclusive, int member, int index, ScheduleBuilder builder) {
    Block block = new Block(exclusive, index, builder);
    if (member == 0) {
      block.planFirst();
    } else {
      block.planSecond();
    }
    if (member == upper && sendsUp) {
      builder.send(block.up(), above(), block.upSlot(), block.range);
    }
  }

  /** One block at this couple. */
  private final class Block {
    private final boolean exclusive;
    private final int index;
    private final ScheduleBuilder builder;
    private final BlockRange range;

    Block(boolean exclusive, int index, ScheduleBuilder builder) {
      this.exclusive = exclusive;
      this.index = index;
      this.builder = builder;
      this.range = timing.block(tree, index);
    }

    int up() {
      return timing.up(tree, arrival, index);
    }

    private int beforeUp() {
      return timing.beforeUp(tree, arrival, index);
    }

    private int down() {
      return timing.down(arrival, index);
    }

    private int afterDown() {
      return timing.afterDown(arrival, index);
    }

    /** Where the upper member has the whole subtree's sum. */
    int upSlot() {
      if (upper == 0 || hearsRight()) {
        return OPERAND;
      }
      return exclusive ? UP_TO : VECTOR;
    }

    /** Where a has L ⊕ a. */
    private int ownSlot() {
      return exclusive && (left != NONE || (upper == 0 && hearsDown)) ? UP_TO : VECTOR;
    }

    /**
     * Receives the sum of all right before what the rank knows; in an exclusive scan the rank's own
     * vector makes room for it.
     */
    private void take(int round, int peer, boolean keepsUpTo) {
      builder.receive(round, peer, OPERAND, range);
      absorb(round, OPERAND, keepsUpTo);
    }

    private void absorb(int round, int slot, boolean keepsUpTo) {
      if (!exclusive) {
        builder.combine(round, VECTOR, slot, VECTOR, range);
        return;
      }
      if (keepsUpTo) {
        builder.combine(round, UP_TO, slot, VECTOR, range);
      }
      builder.copy(round, VECTOR, slot, range);
    }

    /** Combines what comes from above with what the rank knows of its subtree. */
    private void extend(int round, boolean keepsUpTo) {
      if (exclusive && keepsUpTo) {
        builder.combine(round, UP_TO, OPERAND, UP_TO, range);
      }
      builder.combine(round, VECTOR, OPERAND, VECTOR, range);
    }

    void planFirst() {
      int partner = rank(node, 1);
      if (left != NONE) {
        take(timing.up(tree, arrivalOf(left), index), child(left), true);
      }
      if (passesEarly()) {
        builder.send(beforeUp(), partner, left == NONE ? VECTOR : ownSlot(), range);
      } else if (sendsUp) {
        builder.receive(beforeUp(), partner, OPERAND, range);
        int own = left == NONE ? VECTOR : ownSlot();
        builder.combine(beforeUp(), OPERAND, own, OPERAND, range);
      }
      if (hearsDown) {
        hearFirst(upper == 0 ? down() : afterDown(), upper == 0 ? above() : partner);
      }
      if (upper == 0 && (hearsDown || passesLate())) {
        builder.send(afterDown(), partner, ownSlot(), range);
      }
      if (left != NONE && hearsDown) {
        builder.send(timing.down(arrivalOf(left), index), child(left), OPERAND, range);
      }
    }

    private void hearFirst(int round, int peer) {
      boolean passes = upper == 0;
      if (left == NONE) {
        take(round, peer, passes);
      } else {
        builder.receive(round, peer, OPERAND, range);
        extend(round, passes);
      }
    }

    void planSecond() {
      int partner = rank(node, 0);
      if (hearsRight()) {
        int round = timing.up(tree, arrivalOf(right), index);
        builder.receive(round, child(right), OPERAND, range);
        builder.combine(round, OPERAND, VECTOR, OPERAND, range);
      }
      if (passesEarly()) {
        builder.receive(beforeUp(), partner, PASSED, range);
        if (hearsRight()) {
          builder.combine(beforeUp(), OPERAND, PASSED, OPERAND, range);
        }
        absorb(beforeUp(), PASSED, right != NONE || (sendsUp && !hearsRight()));
      } else if (sendsUp) {
        builder.send(beforeUp(), partner, hearsRight() ? OPERAND : VECTOR, range);
      }
      if (hearsDown && upper == 1) {
        builder.receive(down(), above(), OPERAND, range);
        extend(down(), right != NONE);
        builder.send(afterDown(), partner, OPERAND, range);
      } else if (hearsDown || passesLate()) {
        take(afterDown(), partner, right != NONE);
      }
      if (right != NONE) {
        int slot = exclusive ? UP_TO : VECTOR;
        builder.send(timing.down(arrivalOf(right), index), child(right), slot, range);
      }
    }
  }
}
