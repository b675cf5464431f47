package org.sparkcollectives.internal.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.schedule.BlockRange;

/**
 * Which elements are a block, and where in a rank's array they lie. Immutable; blocks may be empty.
 *
 * <p>Every element has a position; those of consecutive blocks follow each other, except that in an
 * alltoall each sender's blocks begin again at 0. Position plus {@link #shift} is the index in the
 * array. Blocks that only pass through a rank have positions but no index.
 */
public abstract sealed class Layout {
  private Layout() {}

  /**
   * Blocks of nearly equal length.
   *
   * @param elements the number of elements of the vector
   * @param width how many consecutive elements stay together; {@code elements} is a multiple
   * @param blocks the number of blocks
   * @return the layout: block b begins with tuple floor(b · tuples / blocks)
   */
  public static Layout even(int elements, int width, int blocks) {
    return new Consecutive(elements, width, blocks, null, 0);
  }

  /**
   * Blocks of given lengths, one after the other.
   *
   * @param counts the number of elements of each block, none negative, in all below 2^31
   * @return the layout
   */
  public static Layout of(int[] counts) {
    int[] bounds = bounds(counts);
    return new Consecutive(bounds[counts.length], 1, counts.length, bounds, 0);
  }

  /**
   * An alltoall in which all blocks have the same length.
   *
   * @param rank this rank
   * @param size the number of ranks
   * @param count the number of elements of a block
   * @return the layout
   */
  public static Layout pairs(int rank, int size, int count) {
    int[] counts = new int[size];
    Arrays.fill(counts, count);
    int[] bounds = bounds(counts);
    int[][] rows = new int[size][];
    Arrays.fill(rows, bounds);
    return new Pairs(rank, bounds, bounds, rows, count);
  }

  /**
   * An alltoall in which this rank knows what it sends and receives, for algorithms that pass no
   * block through a third rank.
   *
   * @param rank this rank
   * @param sent the number of elements for each rank
   * @param received the number of elements from each rank
   * @return the layout
   */
  public static Layout pairs(int rank, int[] sent, int[] received) {
    int longest = Math.max(longest(sent), longest(received));
    return new Pairs(rank, bounds(sent), bounds(received), null, longest);
  }

  /**
   * An alltoall in which this rank knows the lengths of all blocks.
   *
   * @param rank this rank
   * @param counts by sender, the number of elements for each rank
   * @return the layout
   */
  public static Layout pairs(int rank, int[][] counts) {
    int size = counts.length;
    int[] received = new int[size];
    int[][] rows = new int[size][];
    int longest = 0;
    for (int sender = 0; sender < size; sender++) {
      received[sender] = counts[sender][rank];
      rows[sender] = bounds(counts[sender]);
      longest = Math.max(longest, longest(counts[sender]));
    }
    return new Pairs(rank, rows[rank], bounds(received), rows, longest);
  }

  private static int longest(int[] counts) {
    return Arrays.stream(counts).max().orElse(0);
  }

  private static int[] bounds(int[] counts) {
    int[] bounds = new int[counts.length + 1];
    for (int i = 0; i < counts.length; i++) {
      bounds[i + 1] = Math.addExact(bounds[i], counts[i]);
    }
    return bounds;
  }

  /**
   * The position of a block's first element.
   *
   * @param block the block
   * @return a position
   */
  public abstract int start(int block);

  /**
   * The position after a block's last element.
   *
   * @param block the block
   * @return a position
   */
  public abstract int end(int block);

  /**
   * The position after the last element of consecutive blocks.
   *
   * @param from the first block
   * @param to the block after the last, {@code from} for none
   * @return a position
   */
  final int end(int from, int to) {
    return from == to ? start(from) : end(to - 1);
  }

  /**
   * The elements of a block.
   *
   * @param block the block
   * @return how many, 0 or more
   */
  public final int length(int block) {
    return end(block) - start(block);
  }

  /**
   * The same blocks in an array that holds some of them only.
   *
   * @param held the blocks that the array holds
   * @return the layout; index 0 is the first element of the first block held
   */
  public abstract Layout within(BlockRange held);

  /** What is added to a block's positions to get indexes in the array. */
  abstract int shift(int block);

  /** Whether a block lies in the array of what arrives, apart from that of what is sent. */
  abstract boolean incoming(int block);

  /** The elements that a cell for a block needs; equal for all blocks where that wastes little. */
  abstract int cellElements(int block);

  /** The number of elements of the whole vector; in an alltoall of those that this rank sends. */
  abstract int elements();

  /** Whether {@link #elements} is the same on all ranks. */
  abstract boolean common();

  /** Differs, most likely, between layouts of ranks that do not agree. */
  abstract int fingerprint();

  /** One vector, the same on all ranks. */
  private static final class Consecutive extends Layout {
    private final int elements;
    private final int tuples;
    private final int width;
    private final int blocks;
    private final int @Nullable [] bounds;
    private final int base;
    private final int fingerprint;

    Consecutive(int elements, int width, int blocks, int @Nullable [] bounds, int base) {
      this.elements = elements;
      this.tuples = elements / width;
      this.width = width;
      this.blocks = blocks;
      this.bounds = bounds;
      this.base = base;
      this.fingerprint = bounds == null ? 0 : Arrays.hashCode(bounds);
    }

    @Override
    public int start(int block) {
      return bounds == null ? (int) ((long) tuples * block / blocks) * width : bounds[block];
    }

    @Override
    public int end(int block) {
      return start(block + 1);
    }

    @Override
    public Layout within(BlockRange held) {
      return new Consecutive(elements, width, blocks, bounds, start(held.from()));
    }

    @Override
    int shift(int block) {
      return -base;
    }

    @Override
    boolean incoming(int block) {
      return false;
    }

    @Override
    int cellElements(int block) {
      return bounds == null ? (int) (((long) tuples + blocks - 1) / blocks) * width : length(block);
    }

    @Override
    int elements() {
      return elements;
    }

    @Override
    boolean common() {
      return true;
    }

    @Override
    int fingerprint() {
      return fingerprint;
    }
  }

  /** Block {@code s · size + d} goes from s to d; row s is what s sends. */
  private static final class Pairs extends Layout {
    private final int rank;
    private final int size;
    private final int[] sent;
    private final int[] received;
    private final int @Nullable [][] rows;
    private final int longest;

    Pairs(int rank, int[] sent, int[] received, int @Nullable [][] rows, int longest) {
      this.rank = rank;
      this.size = sent.length - 1;
      this.sent = sent;
      this.received = received;
      this.rows = rows;
      this.longest = longest;
    }

    @Override
    public int start(int block) {
      return bound(block / size, block % size);
    }

    @Override
    public int end(int block) {
      return bound(block / size, block % size + 1);
    }

    private int bound(int sender, int receiver) {
      if (rows != null) {
        return rows[sender][receiver];
      }
      if (sender == rank) {
        return sent[receiver];
      }
      return receiver <= rank ? 0 : received[sender + 1] - received[sender];
    }

    @Override
    public Layout within(BlockRange held) {
      throw new IllegalArgumentException("an alltoall needs all blocks of its arrays");
    }

    @Override
    int shift(int block) {
      int sender = block / size;
      return sender == rank ? 0 : received[sender] - bound(sender, rank);
    }

    @Override
    boolean incoming(int block) {
      return block / size != rank;
    }

    @Override
    int cellElements(int block) {
      return rows != null && length(block) < longest / 2 ? length(block) : longest;
    }

    @Override
    int elements() {
      return sent[size];
    }

    @Override
    boolean common() {
      return false;
    }

    @Override
    int fingerprint() {
      return 0;
    }
  }
}
