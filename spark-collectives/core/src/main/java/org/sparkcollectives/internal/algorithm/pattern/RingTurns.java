package org.sparkcollectives.internal.algorithm.pattern;

import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Problem;

/**
 * The turns in which the blocks of parts of any lengths go around a ring of ranks, one block in a
 * turn: a rank passes on its own part, then that of the rank before it, and so on up to the part of
 * the rank after the next one, which the next one's successor begins with. A part without blocks
 * has one turn in which nothing goes, so no block is passed on before it has come: the block that
 * is in turn i at a rank, and not its own, was in an earlier turn at the rank before.
 */
public final class RingTurns {
  private final Problem problem;
  private final PartBounds parts;
  private final Ring ring;
  private final int size;

  /**
   * Lays out the turns of a problem.
   *
   * @param problem a problem that divides the vector, of two ranks or more
   */
  public RingTurns(Problem problem) {
    this.problem = problem;
    this.parts = PartBounds.of(problem);
    this.size = problem.size();
    this.ring = new Ring(size);
  }

  /**
   * The part of a rank.
   *
   * @param rank the rank
   * @return its blocks, maybe none
   */
  public BlockRange part(int rank) {
    return parts.of(rank);
  }

  /**
   * What a rank passes on to the next one, turn by turn.
   *
   * @param rank the rank
   * @return blocks, each alone or none
   */
  public List<BlockRange> passed(int rank) {
    List<BlockRange> turns = new ArrayList<>(problem.blocks());
    for (int distance = 0; distance < size - 1; distance++) {
      BlockRange part = parts.of(ring.shift(rank, -distance));
      for (int block = part.from(); block < part.to(); block++) {
        turns.add(BlockRange.of(block));
      }
      if (part.isEmpty()) {
        turns.add(part);
      }
    }
    return turns;
  }

  /**
   * The number of turns until the last block has come to the last rank.
   *
   * @return the turns of all parts but the next rank's, without empty ones at the end, of the rank
   *     that has most
   */
  public int turns() {
    int all = 0;
    for (int rank = 0; rank < size; rank++) {
      all += turnsOf(rank);
    }
    int most = 0;
    int emptyAfter = emptyFrom(size); // ranks without blocks from the one on that is looked at
    for (int rank = size - 1; rank >= 0; rank--) {
      // the rank two before this one passes this part on last
      emptyAfter = parts.of(rank).isEmpty() ? Math.min(size, emptyAfter + 1) : 0;
      int next = turnsOf(ring.shift(rank, -1));
      most = Math.max(most, emptyAfter >= size - 1 ? 0 : all - next - emptyAfter);
    }
    return most;
  }

  private int turnsOf(int rank) {
    return Math.max(1, parts.of(rank).size());
  }

  /** How many ranks from one on, around the ring, have no blocks, up to p. */
  private int emptyFrom(int first) {
    int count = 0;
    while (count < size && parts.of(ring.shift(first, count)).isEmpty()) {
      count++;
    }
    return count;
  }

  /**
   * The most blocks that a rank passes on.
   *
   * @return all blocks but those of the smallest part
   */
  public int mostPassed() {
    int least = problem.blocks();
    for (int rank = 0; rank < size; rank++) {
      least = Math.min(least, parts.of(rank).size());
    }
    return problem.blocks() - least;
  }
}
