package org.sparkcollectives.internal.algorithm.pattern;

import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.shape.BinaryBlocks;
import org.sparkcollectives.schedule.Phase;

/**
 * A reduction of all ranks' vectors to parts that the ranks of the longest of {@link BinaryBlocks}
 * hold. Each run halves its vectors by {@link HalvingDoubling}; from the shortest run on, each rank
 * then sends its part, cut further, to the ranks of the next longer run that hold these pieces.
 * Operands are in rank order. Source: Thakur, Rabenseifner, Gropp 2005, Section 5.2.
 *
 * <p>Within the longest run a rank's index is the one in which its bits differ from those of one
 * chosen rank, which so keeps lower halves; in shorter runs, only the lowest bits count.
 *
 * @param blocks the number of blocks of the vector
 * @param runs the runs
 * @param chosen the rank of the longest run that has index 0
 */
public record BinaryBlocksReduction(int blocks, BinaryBlocks runs, int chosen) {

  /**
   * The halving of one run.
   *
   * @param run a run
   * @param rank a rank in it
   * @return the group, with the rank as its member
   */
  public HalvingDoubling group(int run, int rank) {
    int first = runs.first(run);
    int flipped = chosen & ((1 << runs.exponent(run)) - 1);
    return new HalvingDoubling(blocks, rank - first ^ flipped, index -> first + (index ^ flipped));
  }

  /**
   * Enters the rounds 0 to {@code runs.gathered(0) - 1}.
   *
   * @param builder takes the rounds
   * @param rank the rank
   */
  public void enter(ScheduleBuilder builder, int rank) {
    int run = runs.indexOf(rank);
    int exponent = runs.exponent(run);
    HalvingDoubling group = group(run, rank);
    group.reduceScatter(builder, 0, exponent);
    if (run > 0) {
      int longer = runs.exponent(run - 1);
      HalvingDoubling above = group(run - 1, runs.first(run - 1));
      for (int piece = 0; piece < 1 << (longer - exponent); piece++) {
        int index = piece << exponent | group.member();
        builder.send(
            firstPiece(run) + piece,
            above.rankOf().applyAsInt(index),
            ScheduleBuilder.VECTOR,
            EvenParts.halved(blocks, index, longer));
      }
    }
    if (run + 1 < runs.count()) {
      int shorter = runs.exponent(run + 1);
      HalvingDoubling below = group(run + 1, runs.first(run + 1));
      int peer = below.rankOf().applyAsInt(group.member() & ((1 << shorter) - 1));
      int piece = group.member() >> shorter;
      builder.receiveRight(firstPiece(run + 1) + piece, peer, group.held(exponent));
    }
  }

  /** The round in which a run begins to send pieces to the next longer one. */
  private int firstPiece(int run) {
    return Math.max(runs.exponent(run - 1), runs.gathered(run));
  }

  /**
   * The phases of all rounds.
   *
   * @return phases, as few as possible
   */
  public List<Phase> phases() {
    int[] sizes = new int[runs.gathered(0)];
    for (int run = 0; run < runs.count(); run++) {
      for (int level = 1; level <= runs.exponent(run); level++) {
        enter(sizes, level - 1, 1, level);
      }
      if (run > 0) {
        int longer = runs.exponent(run - 1);
        enter(sizes, firstPiece(run), 1 << (longer - runs.exponent(run)), longer);
      }
    }
    List<Phase> phases = new ArrayList<>();
    for (int size : sizes) {
      phases.add(new Phase(1, size, size));
    }
    return Phase.merged(phases);
  }

  /** Notes messages of a vector's {@code 2^level}-th part in some rounds. */
  private void enter(int[] sizes, int round, int count, int level) {
    int size = EvenParts.largest(blocks, 1 << level);
    for (int i = round; i < round + count; i++) {
      sizes[i] = Math.max(sizes[i], size);
    }
  }
}
