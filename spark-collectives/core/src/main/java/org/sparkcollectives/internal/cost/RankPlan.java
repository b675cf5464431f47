package org.sparkcollectives.internal.cost;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
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

  /** The round of the send before to the same rank. */
  final int[] sentBefore;

  final int[] receiveFrom;
  final double[] combined;
  private int lastReceive;
  private int latestReceive = NOBODY;
  private int latestSignal = NOBODY;
  private final IntToDoubleFunction sizeOf;

  private RankPlan(int rounds, IntToDoubleFunction sizeOf) {
    this.sizeOf = sizeOf;
    sendTo = filled(rounds);
    sendBlocks = new double[rounds];
    needs = filled(rounds);
    sentBefore = filled(rounds);
    receiveFrom = filled(rounds);
    combined = new double[rounds];
  }

  static int[] filled(int rounds) {
    int[] array = new int[rounds];
    Arrays.fill(array, NOBODY);
    return array;
  }

  /** Whether all that is sent is there from the beginning. */
  boolean independent() {
    for (int round : needs) {
      if (round != NOBODY) {
        return false;
      }
    }
    return true;
  }

  int rounds() {
    return sendTo.length;
  }

  /**
   * Reads a schedule.
   *
   * @param latest by rank, {@link #NOBODY}, and so again in the end
   */
  static RankPlan of(Schedule schedule, IntToDoubleFunction sizeOf, int[] latest) {
    RankPlan plan = new RankPlan(schedule.rounds().size(), sizeOf);
    Origins origins = new Origins(Cells.of(schedule));
    for (int i = 0; i < plan.rounds(); i++) {
      plan.enter(i, schedule.rounds().get(i), origins);
      if (plan.sendTo[i] != NOBODY) {
        plan.sentBefore[i] = latest[plan.sendTo[i]];
        latest[plan.sendTo[i]] = i;
      }
    }
    for (int peer : plan.sendTo) {
      if (peer != NOBODY) {
        latest[peer] = NOBODY;
      }
    }
    return plan;
  }

  private void enter(int index, Round round, Origins origins) {
    if (round.send() != null) {
      sendTo[index] = round.send().peer();
      needs[index] = round.send().isSignal() ? latestReceive : latestSignal;
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
      latestReceive = index;
      latestSignal = round.receive().isSignal() ? index : latestSignal;
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

  /**
   * Runs of blocks that a schedule never parts, so that what holds for one of their blocks holds
   * for all. Where there are about as many rounds as blocks, each block is a cell.
   */
  private static final class Cells {
    /** Cells are looked for if there are so many times more blocks than rounds. */
    private static final int WORTH_IT = 32;

    /**
     * The first block of each cell, growing, and the number of blocks; null if cells are blocks.
     */
    private final int @Nullable [] starts;

    private final int count;

    private Cells(int @Nullable [] starts, int count) {
      this.starts = starts;
      this.count = count;
    }

    static Cells of(Schedule schedule) {
      int blocks = schedule.problem().blocks();
      if (blocks / WORTH_IT < schedule.rounds().size()) {
        return new Cells(null, blocks);
      }
      IntStream.Builder ends = IntStream.builder().add(0).add(blocks);
      for (Round round : schedule.rounds()) {
        if (round.send() != null) {
          round.send().pieces().forEach(piece -> add(piece.blocks(), ends));
        }
        if (round.receive() != null) {
          round.receive().pieces().forEach(piece -> add(piece.blocks(), ends));
        }
        for (LocalStep step : round.local()) {
          if (step instanceof Combine combine) {
            add(combine.blocks(), ends);
          } else if (step instanceof Copy copy) {
            add(copy.blocks(), ends);
          }
        }
      }
      int[] starts = ends.build().sorted().distinct().toArray();
      return new Cells(starts, starts.length - 1);
    }

    private static void add(BlockRange range, IntStream.Builder ends) {
      ends.add(range.from()).add(range.to());
    }

    /** The cell that begins with a block at which ranges begin or end. */
    int at(int block) {
      return starts == null ? block : Arrays.binarySearch(starts, block);
    }
  }

  /** By slot and cell, the latest round whose receive has a part in the content. */
  private static final class Origins {
    private final Cells cells;
    private int[][] rounds = new int[0][];

    Origins(Cells cells) {
      this.cells = cells;
    }

    private int[] slot(int slot) {
      while (slot >= rounds.length) {
        rounds = Arrays.copyOf(rounds, rounds.length + 1);
        rounds[rounds.length - 1] = filled(cells.count);
      }
      return rounds[slot];
    }

    int latest(int slot, BlockRange range) {
      int latest = NOBODY;
      int[] all = slot(slot);
      int end = cells.at(range.to());
      for (int cell = cells.at(range.from()); cell < end; cell++) {
        latest = Math.max(latest, all[cell]);
      }
      return latest;
    }

    void set(int slot, BlockRange range, int round) {
      Arrays.fill(slot(slot), cells.at(range.from()), cells.at(range.to()), round);
    }

    void join(int dst, int left, int right, BlockRange range) {
      int end = cells.at(range.to());
      int[] one = slot(left);
      int[] other = slot(right);
      int[] both = slot(dst);
      for (int cell = cells.at(range.from()); cell < end; cell++) {
        both[cell] = Math.max(one[cell], other[cell]);
      }
    }
  }
}
