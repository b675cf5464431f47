package org.sparkcollectives.internal.algorithm.scan;

import org.sparkcollectives.schedule.BlockRange;

/**
 * One block at one node of an in-order tree: the node's peers and the rounds in which partial
 * results cross its edges, {@link #NEVER} where nothing does. The sum of a left child's subtree
 * always comes up; that of a right child's comes up if the node's own goes up.
 *
 * @param block the block
 * @param parent the rank above
 * @param left the rank of the left child
 * @param right the rank of the right child
 * @param up when the sum of the node's subtree goes up
 * @param leftUp when the sum of the left child's subtree comes up
 * @param rightUp when the sum of the right child's subtree comes up
 * @param down when the sum of all before the subtree comes down
 * @param leftDown when that sum goes on to the left child
 * @param rightDown when the sum of all up to the node goes to the right child
 */
record Crossing(
    BlockRange block,
    int parent,
    int left,
    int right,
    int up,
    int leftUp,
    int rightUp,
    int down,
    int leftDown,
    int rightDown) {

  /** No round. */
  static final int NEVER = -1;

  boolean sendsUp() {
    return up != NEVER;
  }

  boolean hasLeft() {
    return leftUp != NEVER;
  }

  boolean hearsRight() {
    return rightUp != NEVER;
  }

  boolean hearsDown() {
    return down != NEVER;
  }

  boolean sendsLeft() {
    return leftDown != NEVER;
  }

  boolean hasRight() {
    return rightDown != NEVER;
  }

  /** Whether a rank's own vector is combined at all in an exclusive scan. */
  boolean needsOwn() {
    return sendsUp() || hasRight();
  }
}
