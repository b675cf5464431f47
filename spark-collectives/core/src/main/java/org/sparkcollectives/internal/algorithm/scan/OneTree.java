package org.sparkcollectives.internal.algorithm.scan;

import static org.sparkcollectives.internal.algorithm.scan.Crossing.NEVER;

import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.shape.InOrderTree;
import org.sparkcollectives.internal.shape.RankTree;
import org.sparkcollectives.internal.shape.TreePlace;
import org.sparkcollectives.schedule.BlockRange;

/**
 * When partial results cross the edges of one in-order tree. Going up, a node hears from its left
 * child, then from its right child, and sends up, in three consecutive rounds; going down, it hears
 * from above and sends to its left, then to its right child. The next block follows three rounds
 * later. Source: Sanders, Träff 2006, Section 2.3.
 *
 * @param tree the tree
 * @param blocks the number of blocks
 * @param firstDown the round in which the root would hear the first block from above
 */
record OneTree(RankTree tree, int blocks, int firstDown) {
  private static final int PERIOD = 3;

  /**
   * Blocks go down while later ones go up. In the same round they cross the same edge, so that a
   * node has to do with one peer in a round.
   */
  static OneTree both(RankTree tree, int blocks) {
    // The root hears from its left child two rounds before it could send up, and sends to its right
    // child two rounds after it could hear from above: three rounds apart, the latter comes next.
    return new OneTree(tree, blocks, Math.max(tree.farthestUp() - PERIOD, -2));
  }

  /**
   * All blocks go up before the first one goes down, and a node sends or receives in a round, never
   * both.
   *
   * @param nearestDown the least down distance of nodes that hear from above
   */
  static OneTree upThenDown(RankTree tree, int blocks, int nearestDown) {
    int firstDown = new OneTree(tree, blocks, 0).upRounds() - nearestDown;
    return new OneTree(tree, blocks, firstDown);
  }

  /** The rounds until the root has heard the last block from its left child. */
  int upRounds() {
    return tree.farthestUp() == 0 ? 0 : tree.farthestUp() - 1 + PERIOD * (blocks - 1);
  }

  int rounds() {
    int farthest = tree.farthestDown();
    return farthest == 0 ? upRounds() : firstDown + farthest + PERIOD * (blocks - 1) + 1;
  }

  void plan(boolean exclusive, int rank, ScheduleBuilder builder) {
    TreePlace place = tree.place(rank);
    boolean hasLeft = place.left() != InOrderTree.NONE;
    boolean hasRight = place.right() != InOrderTree.NONE;
    boolean sendsUp = place.isOffRightSpine();
    boolean hearsDown = place.isOffLeftSpine();
    int up = tree.farthestUp() - place.upDistance();
    int down = firstDown + place.downDistance();
    for (int i = 0; i < blocks; i++) {
      int later = PERIOD * i;
      Crossing crossing =
          new Crossing(
              BlockRange.of(i),
              place.parent(),
              place.left(),
              place.right(),
              sendsUp ? up + later : NEVER,
              hasLeft ? up - 2 + later : NEVER,
              hasRight && sendsUp ? up - 1 + later : NEVER,
              hearsDown ? down + later : NEVER,
              hasLeft && hearsDown ? down + 1 + later : NEVER,
              hasRight ? down + 2 + later : NEVER);
      TreeScan.plan(exclusive, crossing, builder);
    }
  }

  /** How often a rank sends each block. */
  static int sends(TreePlace place) {
    boolean left = place.left() != InOrderTree.NONE && place.isOffLeftSpine();
    return (place.isOffRightSpine() ? 1 : 0)
        + (left ? 1 : 0)
        + (place.right() != InOrderTree.NONE ? 1 : 0);
  }

  /** The most blocks that one of so many ranks sends. */
  long blocksSent(int size) {
    int most = 0;
    for (int rank = 0; rank < size && most < PERIOD; rank++) {
      most = Math.max(most, sends(tree.place(rank)));
    }
    return (long) most * blocks;
  }
}
