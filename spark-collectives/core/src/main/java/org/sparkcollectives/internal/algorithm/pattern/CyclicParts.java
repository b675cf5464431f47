package org.sparkcollectives.internal.algorithm.pattern;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.OPERAND;
import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.shape.Circulant;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Piece;

/**
 * Reduce-scatter and allgather of p equal parts in ceil(log2 p) rounds for any p, where a message
 * carries consecutive parts on the circle of all parts: up to two runs of blocks. Source: Träff
 * 2024 (arXiv:2410.14234); the allgather is the one of Thakur, Rabenseifner, Gropp 2005, Section
 * 4.1.2, with other distances.
 *
 * <p>There are skips 1 = s(0) &lt; s(1) &lt; … &lt; s(q) = p, each at most twice the one before.
 * The reduce-scatter goes through them downwards: with rank r responsible for parts r to r + s(k+1)
 * - 1, it sends those from r + s(k) on to rank r + s(k), which is responsible for them too, and
 * gets in return from rank r - s(k) its share of parts r on. At the end only part r is left, and
 * every other part has been sent once. The allgather is the same backwards: rank r knows parts r to
 * r + s(k) - 1 and gets the next ones from rank r + s(k).
 */
public final class CyclicParts {
  private final BlockRange all;
  private final int size;
  private final int owners;
  private final int[] skips;
  private final IntUnaryOperator rankOf;

  /**
   * Halving skips: ceil(p/2), ceil(p/4) … 1.
   *
   * @param blocks the number of blocks of the vector
   * @param size p, the number of ranks, at least 1
   */
  public CyclicParts(int blocks, int size) {
    this(blocks, size, rank -> rank);
  }

  /**
   * Halving skips in a group of ranks, whose members stand for ranks in all that follows.
   *
   * @param blocks the number of blocks of the vector
   * @param size p, the number of members, at least 1
   * @param rankOf the rank of a member
   */
  public CyclicParts(int blocks, int size, IntUnaryOperator rankOf) {
    this(new BlockRange(0, blocks), size, size, rankOf);
  }

  /**
   * Halving skips in a group of ranks whose first members own equal parts of some blocks, and the
   * others none.
   *
   * @param all the blocks that are divided
   * @param size p, the number of members, at least 1
   * @param owners how many of them own a part
   * @param rankOf the rank of a member
   */
  public CyclicParts(BlockRange all, int size, int owners, IntUnaryOperator rankOf) {
    this.all = all;
    this.size = size;
    this.owners = owners;
    this.rankOf = rankOf;
    Circulant graph = new Circulant(size);
    skips = new int[graph.period() + 1];
    for (int k = 0; k < skips.length; k++) {
      skips[k] = graph.skip(k);
    }
  }

  private CyclicParts(int blocks, int size, int[] skips) {
    this.all = new BlockRange(0, blocks);
    this.size = size;
    this.owners = size;
    this.skips = skips;
    this.rankOf = rank -> rank;
  }

  /**
   * Doubling skips: 1, 2, 4 … and p.
   *
   * @param blocks the number of blocks of the vector
   * @param size p, the number of ranks, at least 1
   * @return the plan
   */
  public static CyclicParts doubling(int blocks, int size) {
    int[] skips = new int[new Circulant(size).period() + 1];
    for (int k = 0; k < skips.length; k++) {
      skips[k] = (int) Math.min(1L << k, size);
    }
    return new CyclicParts(blocks, size, skips);
  }

  /**
   * The number of rounds of each of the two.
   *
   * @return ceil(log2 p)
   */
  public int rounds() {
    return skips.length - 1;
  }

  /**
   * The part that a rank owns.
   *
   * @param rank the rank
   * @return its blocks
   */
  public BlockRange part(int rank) {
    return parts(rank, rank + 1);
  }

  /** The parts of neighbouring ranks, with {@code from <= to <= p}. */
  private BlockRange parts(int from, int to) {
    BlockRange range =
        EvenParts.of(all.size(), owners, Math.min(from, owners), Math.min(to, owners));
    return all.from() == 0
        ? range
        : new BlockRange(all.from() + range.from(), all.from() + range.to());
  }

  /**
   * Enters the reduce-scatter; operands are not in rank order.
   *
   * @param builder takes the rounds
   * @param round the number of the first round
   * @param rank the rank
   */
  public void reduceScatter(ScheduleBuilder builder, int round, int rank) {
    for (int k = rounds() - 1; k >= 0; k--) {
      int at = round + rounds() - 1 - k;
      int to = wrapped((long) rank + skips[k]);
      int from = wrapped((long) rank - skips[k]);
      builder.send(at, rankOf.applyAsInt(to), run(VECTOR, to, count(k)));
      List<Piece> operands = run(OPERAND, rank, count(k));
      builder.receive(at, rankOf.applyAsInt(from), operands);
      for (Piece operand : operands) {
        builder.combine(at, VECTOR, OPERAND, VECTOR, operand.blocks());
      }
    }
  }

  /**
   * Enters the allgather.
   *
   * @param builder takes the rounds
   * @param round the number of the first round
   * @param rank the rank
   */
  public void allgather(ScheduleBuilder builder, int round, int rank) {
    for (int k = 0; k < rounds(); k++) {
      int to = wrapped((long) rank - skips[k]);
      int from = wrapped((long) rank + skips[k]);
      builder.send(round + k, rankOf.applyAsInt(to), run(VECTOR, rank, count(k)));
      builder.receive(round + k, rankOf.applyAsInt(from), run(VECTOR, from, count(k)));
    }
  }

  /**
   * The phases of the reduce-scatter.
   *
   * @return a phase for each round
   */
  public List<Phase> reduceScatterPhases() {
    List<Phase> phases = new ArrayList<>();
    for (int k = rounds() - 1; k >= 0; k--) {
      phases.add(new Phase(1, largest(count(k)), largest(count(k))));
    }
    return phases;
  }

  /**
   * The phases of the allgather.
   *
   * @return a phase for each round
   */
  public List<Phase> allgatherPhases() {
    List<Phase> phases = new ArrayList<>();
    for (int k = 0; k < rounds(); k++) {
      phases.add(new Phase(1, largest(count(k))));
    }
    return phases;
  }

  /**
   * How much a rank sends in the reduce-scatter: all but its own part.
   *
   * @return the blocks of the rank that sends most
   */
  public long reduceScatterVolume() {
    return (long) all.size() - (owners < size ? 0 : all.size() / size);
  }

  /**
   * How much a rank sends in the allgather. A run of parts that begins with part i is larger by one
   * block than a run of as many others exactly if i · b mod p is large enough, so one and the same
   * rank sends the largest run of every round.
   *
   * @return the blocks of the rank that sends most
   */
  public long allgatherVolume() {
    long sum = 0;
    for (int k = 0; k < rounds(); k++) {
      sum += largest(count(k));
    }
    return sum;
  }

  /**
   * How much a rank sends in both.
   *
   * @param rank the rank
   * @return a number of blocks
   */
  public long sent(int rank) {
    long sum = (long) all.size() - part(rank).size();
    for (int k = 0; k < rounds(); k++) {
      sum += begin(rank + count(k)) - begin(rank);
    }
    return sum;
  }

  /** How many blocks are before a part, counted on around the circle. */
  private long begin(int part) {
    return part < size
        ? (long) Math.min(part, owners) * all.size() / owners
        : all.size() + begin(part - size);
  }

  /**
   * How much the rank sends in both that sends most. In the first round of the allgather it sends
   * the part that it kept before, so all ranks have sent all blocks by then; the rest is the
   * largest for the rank that sends most in the allgather.
   *
   * @return a number of blocks
   */
  public long mostSent() {
    return rounds() == 0 ? 0 : all.size() + allgatherVolume() - largest(count(0));
  }

  /** How many parts a message of skip s(k) carries. */
  private int count(int k) {
    return skips[k + 1] - skips[k];
  }

  /** The size of the largest run of some parts. */
  private int largest(int count) {
    return EvenParts.largest(all.size(), owners, Math.min(count, owners));
  }

  private int wrapped(long rank) {
    return (int) Math.floorMod(rank, (long) size);
  }

  private List<Piece> run(int slot, int first, int count) {
    int end = (int) Math.min(size, (long) first + count);
    int wrapped = count - (end - first);
    Piece piece = new Piece(slot, parts(first, end));
    return wrapped == 0 ? List.of(piece) : List.of(piece, new Piece(slot, parts(0, wrapped)));
  }
}
