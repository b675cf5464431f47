package org.sparkcollectives.internal.algorithm.scan;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.OPERAND;
import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.schedule.BlockRange;

/**
 * A rank's partial result in a scan of whole vectors: the sum of a run of ranks that ends with its
 * own, and in an exclusive scan beside it the same sum without its own.
 */
final class PartialResult {
  /** The sum with the own vector, in an exclusive scan. */
  private static final int INCLUSIVE = 2;

  private final ScheduleBuilder builder;
  private final boolean exclusive;
  private final BlockRange all;
  private boolean alone = true;

  PartialResult(ScheduleBuilder builder, boolean exclusive, BlockRange all) {
    this.builder = builder;
    this.exclusive = exclusive;
    this.all = all;
  }

  /**
   * Receives the sum of the ranks right before the run, which stays in the operand slot for this
   * round's further steps.
   *
   * @param sends whether the rank sends its sum afterwards
   */
  void receive(int round, int peer, boolean sends) {
    builder.receive(round, peer, OPERAND, all);
    if (!exclusive) {
      builder.combine(round, VECTOR, OPERAND, VECTOR, all);
      return;
    }
    receiveInclusive(round, sends);
    extend(round, OPERAND);
  }

  /**
   * Brings the sum that is sent up to date with the operand of this round, not the result of an
   * exclusive scan.
   */
  void receiveInclusive(int round, boolean sends) {
    if (sends) {
      builder.combine(round, INCLUSIVE, OPERAND, alone ? VECTOR : INCLUSIVE, all);
    }
  }

  /** Brings the result of an exclusive scan up to date with a sum in a slot. */
  void extend(int round, int slot) {
    if (alone) {
      builder.copy(round, VECTOR, slot, all);
    } else {
      builder.combine(round, VECTOR, slot, VECTOR, all);
    }
    alone = false;
  }

  void send(int round, int peer) {
    builder.send(round, peer, exclusive && !alone ? INCLUSIVE : VECTOR, all);
  }
}
