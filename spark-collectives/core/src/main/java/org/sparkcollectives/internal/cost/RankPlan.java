package org.sparkcollectives.internal.cost;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.Copy;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;

/**
 * One rank's schedule as the simulator needs it, in few numbers per round. Of a send it says which
 * earlier round brought the last of what it carries; what is combined counts with the last receive.
 */
final class RankPlan {
  static final int NOBODY = -1;

  /** All blocks have the usual size. */
  static final IntToDoubleFunction ALIKE = block -> 1;

  final int[] sendTo;

  /** What a send carries, in blocks of the usual size. */
  final double[] sendBlocks;

  final int[] needs;
  final int[] receiveFrom;
  final double[] combined;
  private int lastReceive;
  private final IntToDoubleFunction sizeOf;

  private RankPlan(int rounds, IntToDoubleFunction sizeOf) {
    this.sizeOf = sizeOf;
    sendTo = filled(rounds);
    sendBlocks = new double[rounds];
    needs = filled(rounds);
    receiveFrom = filled(rounds);
    combined = new double[rounds];
  }

  private static int[] filled(int rounds) {
    int[] array = new int[rounds];
    Arrays.fill(array, NOBODY);
    return array;
  }

  int rounds() {
    return sendTo.length;
  }

  static RankPlan of(Schedule schedule, IntToDoubleFunction sizeOf) {
    RankPlan plan = new RankPlan(schedule.rounds().size(), sizeOf);
    Origins origins = new Origins(schedule.problem().blocks());
    for (int i = 0; i < plan.rounds(); i++) {
      plan.enter(i, schedule.rounds().get(i), origins);
    }
    return plan;
  }

  private void enter(int index, Round round, Origins origins) {
    if (round.send() != null) {
      sendTo[index] = round.send().peer();
      for (Piece piece : round.send().pieces()) {
        sendBlocks[index] += size(piece.blocks());
        needs[index] = Math.max(needs[index], origins.latest(piece.slot(), piece.blocks()));
      }
    }
    if (round.receive() != null) {
      receiveFrom[index] = round.receive().peer();
      for (Piece piece : round.receive().pieces()) {
        origins.set(piece.slot(), piece.blocks(), index);
      }
      lastReceive = index;
    }
    for (LocalStep step : round.local()) {
      if (step instanceof Combine combine) {
        combined[lastReceive] += size(combine.blocks());
        origins.join(combine.dst(), combine.left(), combine.right(), combine.blocks());
      } else if (step instanceof Copy copy) {
        origins.join(copy.dst(), copy.src(), copy.src(), copy.blocks());
      }
    }
  }

  private double size(BlockRange blocks) {
    if (sizeOf == ALIKE) {
      return blocks.size();
    }
    double sum = 0;
    for (int block = blocks.from(); block < blocks.to(); block++) {
      sum += sizeOf.applyAsDouble(block);
    }
    return sum;
  }

  /** By slot and block, the latest round whose receive has a part in the content. */
  private static final class Origins {
    private final int blocks;
    private int[][] rounds = new int[0][];

    Origins(int blocks) {
      this.blocks = blocks;
    }

    private int[] slot(int slot) {
      while (slot >= rounds.length) {
        rounds = Arrays.copyOf(rounds, rounds.length + 1);
        rounds[rounds.length - 1] = filled(blocks);
      }
      return rounds[slot];
    }

    int latest(int slot, BlockRange range) {
      int latest = NOBODY;
      int[] all = slot(slot);
      for (int block = range.from(); block < range.to(); block++) {
        latest = Math.max(latest, all[block]);
      }
      return latest;
    }

    void set(int slot, BlockRange range, int round) {
      Arrays.fill(slot(slot), range.from(), range.to(), round);
    }

    void join(int dst, int left, int right, BlockRange range) {
      for (int block = range.from(); block < range.to(); block++) {
        slot(dst)[block] = Math.max(slot(left)[block], slot(right)[block]);
      }
    }
  }
}
