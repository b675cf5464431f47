package org.sparkcollectives.internal.engine;

import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.internal.vector.Vector;

/**
 * What the two streams of an operation, sends and stages, know of each other: how far each has
 * come, and where blocks lie.
 */
final class Streams {
  final Operation operation;
  final Layout layout;
  final Memory memory;

  /** Sends complete: their bytes have been handed over. */
  int sendsDone;

  /** Stages complete: received, combined, stored. */
  int stagesDone;

  /** Stages whose messages have begun to arrive. */
  int stagesBegun;

  /** Elements below this position have been encoded by the current send; 0 between sends. */
  int sentBelow;

  /** Payload bytes of messages that have been begun to be sent. */
  long sentBytes;

  /** Payload bytes of messages that have begun to arrive. */
  long receivedBytes;

  Streams(Operation operation, Memory memory) {
    this.operation = operation;
    this.memory = memory;
    this.layout = operation.layout();
    memory.prepareCells(operation.program().cells());
  }

  /** The vector that holds a block at a place. */
  Vector vector(Storage place, int block, Vector staging) {
    return switch (place.kind()) {
      case USER -> operation.vector(block);
      case STAGING -> staging;
      case CELLS -> memory.cell(place.cell(block), operation.vector(), layout.cellElements(block));
    };
  }

  /** The index of a position at a place; the staging vector begins with position {@code first}. */
  int index(Storage place, int block, int position, int first) {
    return switch (place.kind()) {
      case USER -> position + layout.shift(block);
      case STAGING -> position - first;
      case CELLS -> position - layout.start(block);
    };
  }

  /**
   * Runs a step on elements of one block, or of consecutive blocks when no place is a cell.
   *
   * @param block the block, or the first of them
   * @param from the position of the first element
   * @param first the position that the staging vector begins with
   */
  void run(Program.Step step, int block, int from, int count, Vector staging, int first) {
    Vector dst = vector(step.dst(), block, staging);
    Vector left = vector(step.left(), block, staging);
    int at = index(step.dst(), block, from, first);
    int leftAt = index(step.left(), block, from, first);
    Storage rightPlace = step.right();
    if (rightPlace == null) {
      dst.copy(left, leftAt, at, count);
      return;
    }
    Vector right = vector(rightPlace, block, staging);
    int rightAt = index(rightPlace, block, from, first);
    if (operation.op() == null) {
      throw new IllegalStateException(operation.describe() + " combines but has no operator");
    }
    try {
      dst.combine(operation.op(), left, leftAt, right, rightAt, at, count);
    } catch (CollectiveException e) {
      throw e;
    } catch (Exception e) { // Scala's methods do not declare checked ones
      throw EngineErrors.operatorThrew(
          operation.describe(), operation.where(), operation.op().name(), e);
    }
  }

  /** Runs a step on all of its blocks. */
  void run(Program.Step step, Vector staging) {
    for (int block = step.from(); block < step.to(); block++) {
      int from = layout.start(block);
      run(step, block, from, layout.length(block), staging, from);
    }
  }
}
