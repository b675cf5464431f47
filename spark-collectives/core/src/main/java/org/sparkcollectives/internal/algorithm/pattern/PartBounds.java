package org.sparkcollectives.internal.algorithm.pattern;

import java.util.Arrays;
import java.util.List;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Problem;

/**
 * Which blocks of a vector belong to which rank: as many as the problem says ({@link
 * Problem#parts}), or nearly equally many. Immutable.
 */
public final class PartBounds {
  private final int blocks;
  private final int size;
  private final int[] bounds;

  private PartBounds(int blocks, int size, int[] bounds) {
    this.blocks = blocks;
    this.size = size;
    this.bounds = bounds;
  }

  /**
   * The parts of a problem whose collective divides the vector.
   *
   * @param problem the problem
   * @return the parts, in rank order
   */
  public static PartBounds of(Problem problem) {
    List<Integer> given = problem.parts();
    int[] bounds = new int[given.isEmpty() ? 0 : given.size() + 1];
    for (int rank = 0; rank < given.size(); rank++) {
      bounds[rank + 1] = bounds[rank] + given.get(rank);
    }
    return new PartBounds(problem.blocks(), problem.size(), bounds);
  }

  /**
   * The part of a rank.
   *
   * @param rank the rank
   * @return its blocks, maybe none
   */
  public BlockRange of(int rank) {
    return bounds.length == 0
        ? EvenParts.of(blocks, size, rank)
        : new BlockRange(bounds[rank], bounds[rank + 1]);
  }

  /**
   * The rank that a block belongs to.
   *
   * @param block the block
   * @return a rank
   */
  public int owner(int block) {
    if (bounds.length == 0) {
      return EvenParts.indexOf(blocks, size, block);
    }
    int found = Arrays.binarySearch(bounds, block);
    int rank = found >= 0 ? found : -found - 2;
    while (bounds[rank + 1] == bounds[rank]) {
      rank++; // of ranks that begin with this block the last one has it
    }
    return rank;
  }
}
