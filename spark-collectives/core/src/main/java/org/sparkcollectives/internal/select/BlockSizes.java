package org.sparkcollectives.internal.select;

import java.util.List;
import org.sparkcollectives.internal.algorithm.pattern.PartBounds;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.select.Request;

/**
 * The bytes of the blocks of a vector whose parts have different lengths: blocks of a part are
 * nearly equal, those of different parts need not be.
 */
public final class BlockSizes {
  /** By block, the bytes of all blocks before it; one number more than there are blocks. */
  private final double[] before;

  private BlockSizes(double[] before) {
    this.before = before;
  }

  /**
   * The sizes of the blocks of a problem.
   *
   * @param request an operation with {@link Request#counts}
   * @param problem the problem that an algorithm solves for it
   * @return the sizes
   */
  public static BlockSizes of(Request request, Problem problem) {
    double unit = (double) request.bytes() / Math.max(1, request.units());
    PartBounds parts = PartBounds.of(problem);
    double[] before = new double[problem.blocks() + 1];
    for (int block = 0; block < problem.blocks(); block++) {
      int owner = parts.owner(block);
      double part = request.counts().get(owner) * unit;
      before[block + 1] = before[block] + part / parts.of(owner).size();
    }
    return new BlockSizes(before);
  }

  /**
   * The bytes of a block.
   *
   * @param block the block
   * @return bytes
   */
  public double bytes(int block) {
    return before[block + 1] - before[block];
  }

  /**
   * The bytes of some neighbours.
   *
   * @param from the first block
   * @param to the block after the last one
   * @return bytes
   */
  double bytes(int from, int to) {
    return before[to] - before[from];
  }

  /** The most bytes that so many blocks have that are neighbours around the vector. */
  double most(int blocks) {
    int all = before.length - 1;
    int run = Math.min(blocks, all);
    double most = 0;
    for (int from = 0; from < all; from++) {
      int end = from + run;
      double bytes = end <= all ? bytes(from, end) : bytes(from, all) + bytes(0, end - all);
      most = Math.max(most, bytes);
    }
    return most;
  }

  /**
   * How parts are cut into blocks of about one length.
   *
   * @param counts the units of each rank's part
   * @param units how many units all parts have
   * @param blocks about how many blocks there are to be, if no part were short
   * @return for each rank the number of blocks of its part, 0 for none
   */
  static List<Integer> cut(List<Integer> counts, int units, int blocks) {
    int length = (int) (((long) units + blocks - 1) / blocks);
    return counts.stream().map(count -> (int) (((long) count + length - 1) / length)).toList();
  }
}
