package org.sparkcollectives.schedule;

import org.jspecify.annotations.Nullable;

/**
 * A half-open range of blocks, {@code from} inclusive to {@code to} exclusive.
 *
 * @param from the first block, at least 0
 * @param to the block after the last one, at least {@code from}
 */
public record BlockRange(int from, int to) {

  /** No blocks: what a signal carries. */
  public static final BlockRange NONE = new BlockRange(0, 0);

  /**
   * Checks the bounds.
   *
   * @param from the first block, at least 0
   * @param to the block after the last one, at least {@code from}
   */
  public BlockRange {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("not a block range: [" + from + ", " + to + ")");
    }
  }

  /**
   * The range of one block.
   *
   * @param block the block's index
   * @return the range that holds just it
   */
  public static BlockRange of(int block) {
    return new BlockRange(block, block + 1);
  }

  /**
   * How many blocks the range holds.
   *
   * @return the number of blocks, 0 or more
   */
  public int size() {
    return to - from;
  }

  /**
   * Whether the range holds no block.
   *
   * @return true when {@code from == to}
   */
  public boolean isEmpty() {
    return from == to;
  }

  /**
   * The lower half; with an odd number of blocks it is the smaller half.
   *
   * @return blocks {@code from} to {@code from + size/2}
   */
  public BlockRange lowerHalf() {
    return new BlockRange(from, from + size() / 2);
  }

  /**
   * The upper half, which begins where {@link #lowerHalf()} ends.
   *
   * @return the other blocks
   */
  public BlockRange upperHalf() {
    return new BlockRange(from + size() / 2, to);
  }

  /** By hand, as {@link #hashCode}: the first operation compares ranges. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BlockRange that && from == that.from && to == that.to;
  }

  @Override
  public int hashCode() {
    return 31 * from + to;
  }

  @Override
  public String toString() {
    return size() == 1 ? "[" + from + "]" : "[" + from + ", " + to + ")";
  }
}
