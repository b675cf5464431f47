package org.sparkcollectives.internal.algorithm.scan;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.OPERAND;
import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.schedule.BlockRange;

/**
 * What a node of an in-order tree does with one block, in whichever rounds.
 *
 * <p>The subtree of rank j holds ranks l to r. Going up, j combines what its left child sends with
 * its own block, which gives the sum of l to j; with what its right child sends it makes the sum of
 * l to r and sends that up. Going down, j hears the sum of all before l, passes it to its left
 * child, makes the sum of all up to j and sends this to its right child. Source: Sanders, Träff
 * 2006, Section 2.3.
 */
final class TreeScan {
  /** A left child's sum that comes after the right child's. */
  private static final int LATE = 2;

  /** The left child's sum, without the own block, from its way up to its way down. */
  private static final int BEFORE = 2;

  /** What the right child gets. */
  private static final int UP_TO = 3;

  private TreeScan() {}

  static void plan(boolean exclusive, Crossing node, ScheduleBuilder builder) {
    if (exclusive) {
      exclusiveUp(node, builder);
      exclusiveDown(node, builder);
    } else {
      inclusiveUp(node, builder);
      inclusiveDown(node, builder);
    }
  }

  private static void inclusiveUp(Crossing node, ScheduleBuilder builder) {
    BlockRange block = node.block();
    if (node.hearsRight() && node.leftUp() > node.rightUp()) {
      builder.receive(node.leftUp(), node.left(), LATE, block);
      builder.combine(node.leftUp(), VECTOR, LATE, VECTOR, block);
    } else if (node.hasLeft()) {
      builder.receiveLeft(node.leftUp(), node.left(), block);
    }
    if (node.hearsRight()) {
      builder.receive(node.rightUp(), node.right(), OPERAND, block);
      int both = Math.max(node.leftUp(), node.rightUp());
      builder.combine(both, OPERAND, VECTOR, OPERAND, block);
    }
    if (node.sendsUp()) {
      builder.send(node.up(), node.parent(), node.hearsRight() ? OPERAND : VECTOR, block);
    }
  }

  private static void inclusiveDown(Crossing node, ScheduleBuilder builder) {
    if (node.hearsDown()) {
      builder.receiveLeft(node.down(), node.parent(), node.block());
    }
    if (node.sendsLeft()) {
      builder.send(node.leftDown(), node.left(), OPERAND, node.block());
    }
    if (node.hasRight()) {
      builder.send(node.rightDown(), node.right(), VECTOR, node.block());
    }
  }

  private static void exclusiveUp(Crossing node, ScheduleBuilder builder) {
    BlockRange block = node.block();
    int left = node.leftUp();
    int right = node.rightUp();
    if (node.hearsRight()) {
      builder.receive(right, node.right(), OPERAND, block);
      if (left > right || !node.hasLeft() || node.hearsDown()) {
        builder.combine(right, OPERAND, VECTOR, OPERAND, block);
      }
      if (right > left && node.hasLeft()) {
        builder.combine(right, OPERAND, node.hearsDown() ? BEFORE : UP_TO, OPERAND, block);
      }
    }
    if (node.hasLeft()) {
      exclusiveLeft(node, builder);
    }
    if (node.sendsUp()) {
      int slot = node.hasLeft() || node.hearsRight() ? OPERAND : VECTOR;
      builder.send(node.up(), node.parent(), slot, block);
    }
  }

  private static void exclusiveLeft(Crossing node, ScheduleBuilder builder) {
    BlockRange block = node.block();
    int left = node.leftUp();
    if (!node.needsOwn()) {
      builder.receive(left, node.left(), VECTOR, block);
      return;
    }
    builder.receive(left, node.left(), BEFORE, block);
    if (node.sendsUp() && node.rightUp() < left) {
      builder.combine(left, OPERAND, BEFORE, node.hearsRight() ? OPERAND : VECTOR, block);
    }
    if (!node.hearsDown()) {
      if (node.hasRight()) {
        builder.combine(left, UP_TO, BEFORE, VECTOR, block);
      }
      builder.copy(left, VECTOR, BEFORE, block);
    }
  }

  private static void exclusiveDown(Crossing node, ScheduleBuilder builder) {
    if (node.hearsDown()) {
      exclusiveResult(node, builder);
    }
    if (node.sendsLeft()) {
      builder.send(node.leftDown(), node.left(), OPERAND, node.block());
    }
    if (node.hasRight()) {
      int slot = node.hearsDown() || node.hasLeft() ? UP_TO : VECTOR;
      builder.send(node.rightDown(), node.right(), slot, node.block());
    }
  }

  private static void exclusiveResult(Crossing node, ScheduleBuilder builder) {
    BlockRange block = node.block();
    int round = node.down();
    if (!node.hasLeft() && !node.hasRight()) {
      builder.receive(round, node.parent(), VECTOR, block);
      return;
    }
    builder.receive(round, node.parent(), OPERAND, block);
    if (!node.hasRight()) {
      int before = node.needsOwn() ? BEFORE : VECTOR;
      builder.combine(round, VECTOR, OPERAND, before, block);
      return;
    }
    int result = OPERAND;
    if (node.hasLeft()) {
      builder.combine(round, BEFORE, OPERAND, BEFORE, block);
      result = BEFORE;
    }
    builder.combine(round, UP_TO, result, VECTOR, block);
    builder.copy(round, VECTOR, result, block);
  }
}
