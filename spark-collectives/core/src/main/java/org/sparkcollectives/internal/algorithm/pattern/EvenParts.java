package org.sparkcollectives.internal.algorithm.pattern;

import org.sparkcollectives.schedule.BlockRange;

/** How the blocks of a vector are divided among ranks. Any part may be empty. */
public final class EvenParts {
  private EvenParts() {}

  /**
   * One of {@code parts} runs of nearly equal length.
   *
   * @param blocks the number of blocks to divide
   * @param parts the number of parts
   * @param index the part asked for, 0 to {@code parts - 1}
   * @return blocks floor(index · blocks / parts) to floor((index + 1) · blocks / parts)
   */
  public static BlockRange of(int blocks, int parts, int index) {
    return new BlockRange(
        (int) ((long) index * blocks / parts), (int) ((index + 1L) * blocks / parts));
  }

  /**
   * Several neighbouring parts of {@link #of}.
   *
   * @param blocks the number of blocks to divide
   * @param parts the number of parts
   * @param from the first part
   * @param to the part after the last one, at least {@code from}, at most {@code parts}
   * @return the blocks of parts {@code from} to {@code to - 1}
   */
  public static BlockRange of(int blocks, int parts, int from, int to) {
    return new BlockRange((int) ((long) from * blocks / parts), (int) ((long) to * blocks / parts));
  }

  /**
   * The part of {@link #of} that holds a block.
   *
   * @param blocks the number of blocks to divide
   * @param parts the number of parts
   * @param block a block, 0 to {@code blocks - 1}
   * @return a part, 0 to {@code parts - 1}
   */
  public static int indexOf(int blocks, int parts, int block) {
    return (int) (((block + 1L) * parts - 1) / blocks);
  }

  /**
   * The size of the largest of {@code parts} runs of nearly equal length.
   *
   * @param blocks the number of blocks to divide
   * @param parts the number of parts
   * @return ceil(blocks / parts)
   */
  public static int largest(int blocks, int parts) {
    return (int) (((long) blocks + parts - 1) / parts);
  }

  /**
   * A bound for the size of so many neighbouring parts of {@link #of}, reached by the last ones.
   *
   * @param blocks the number of blocks to divide
   * @param parts the number of parts
   * @param run how many of them are neighbours
   * @return ceil(run · blocks / parts)
   */
  public static int largest(int blocks, int parts, int run) {
    return (int) (((long) run * blocks + parts - 1) / parts);
  }

  /**
   * What is left of a vector after repeated halving, where bit s of {@code path} tells which half
   * is kept in step s.
   *
   * @param blocks the number of blocks to halve
   * @param path bit s is 0 for the lower and 1 for the upper half of step s
   * @param levels the number of halvings
   * @return the blocks that are left
   */
  public static BlockRange halved(int blocks, int path, int levels) {
    BlockRange range = new BlockRange(0, blocks);
    for (int level = 0; level < levels; level++) {
      range = (path >> level & 1) == 0 ? range.lowerHalf() : range.upperHalf();
    }
    return range;
  }
}
