package org.sparkcollectives.internal.engine;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.sparkcollectives.schedule.BlockRange;

/**
 * Consecutive numbers for the blocks that a rank touches, in their order. In an alltoall these are
 * few of all p² blocks.
 */
final class BlockIndex {
  private final int[] first;
  private final int[] number;
  private final int count;

  /** Numbers the blocks of ranges, which may overlap and be empty. */
  BlockIndex(List<BlockRange> ranges) {
    BlockRange[] sorted =
        ranges.stream()
            .filter(range -> !range.isEmpty())
            .sorted(Comparator.comparingInt(BlockRange::from))
            .toArray(BlockRange[]::new);
    int[] starts = new int[sorted.length];
    int[] numbers = new int[sorted.length];
    int runs = 0;
    int blocks = 0;
    int end = -1;
    for (BlockRange range : sorted) {
      if (range.from() > end) {
        starts[runs] = range.from();
        numbers[runs++] = blocks;
        end = range.from();
      }
      blocks += Math.max(0, range.to() - end);
      end = Math.max(end, range.to());
    }
    first = Arrays.copyOf(starts, runs);
    number = Arrays.copyOf(numbers, runs);
    count = blocks;
  }

  /** How many blocks have a number. */
  int count() {
    return count;
  }

  /** The number of a block of the ranges; those of a range's blocks follow each other. */
  int of(int block) {
    int found = Arrays.binarySearch(first, block);
    int run = found >= 0 ? found : -found - 2;
    return number[run] + block - first[run];
  }
}
