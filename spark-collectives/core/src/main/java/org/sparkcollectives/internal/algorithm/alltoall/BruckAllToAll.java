package org.sparkcollectives.internal.algorithm.alltoall;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Problem;

/**
 * All-to-all by Bruck's algorithm: blocks are stored and forwarded.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 4.3,
 * Fig. 7.
 *
 * <p><b>Idea.</b> A block for the rank d places further on travels the powers of two in d, one in
 * each round, so that a message carries all blocks that go the same way. The paper takes the
 * shortest way first; here the longest comes first. What is still on its way from one source then
 * is for neighbouring ranks, a run of blocks, and nothing is sorted before and after.
 *
 * <p><b>Cost.</b> For m bytes in all blocks of a rank: ceil(log2 p) rounds; p = 2^k: k(α + (m/2)β).
 * Otherwise the first round has p - 2^floor(log2 p) blocks and each other one about p/2.
 *
 * <p><b>Restrictions.</b> None. A rank's schedule has about 2p pieces. <b>Memory.</b> The vector
 * and at most p + 1 - 2√p blocks that pass through.
 *
 * <p><b>Example.</b> p = 3: r→r+2 its block for r+2; r→r+1 its block for r+1.
 */
public final class BruckAllToAll extends ScheduledAlgorithm {
  private static final int PASSING = 1;

  /** Makes the algorithm. */
  public BruckAllToAll() {
    super(
        Collective.ALLTOALL,
        "bruck",
        new Traits(
            true,
            "mpich 2005, 4.3",
            "blocks with others of the same way, over powers of two; for short blocks",
            "ceil(log2 p)",
            "<= (p/2) log2 p",
            Set.of(Traits.Feature.ROAMING, Traits.Feature.CYCLIC, Traits.Feature.BITWISE)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    int size = problem.size();
    int round = 0;
    for (int way = Integer.highestOneBit(size - 1); way > 0; way /= 2) {
      int target = new Ring(size).shift(rank, way);
      int source = new Ring(size).shift(rank, -way);
      builder.send(round, target, pieces(size, rank, way, false));
      builder.receive(round, source, pieces(size, source, way, true));
      round++;
    }
  }

  /**
   * What a rank sends on a way. Blocks that have come {@code done} places to it, a multiple of
   * twice the way, go on if their distance in all is one of the {@code way} distances from {@code
   * done + way} on; the nearest of them has then arrived.
   */
  private static List<Piece> pieces(int size, int rank, int way, boolean atReceiver) {
    Ring ring = new Ring(size);
    PairBlocks blocks = new PairBlocks(size);
    int next = ring.shift(rank, way);
    List<Piece> pieces = new ArrayList<>();
    for (int done = 0; done + way < size; done += 2 * way) {
      int source = ring.shift(rank, -done);
      int beyond = Math.min(way, size - done - way) - 1;
      int end = next + 1 + beyond;
      int here = done == 0 ? VECTOR : PASSING;
      int passing = atReceiver ? PASSING : here;
      pieces.add(new Piece(atReceiver ? VECTOR : here, blocks.of(source, next)));
      pieces.add(new Piece(passing, blocks.of(source, next + 1, Math.min(end, size))));
      pieces.add(new Piece(passing, blocks.of(source, 0, Math.max(0, end - size))));
    }
    return pieces;
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    List<Phase> phases = new ArrayList<>();
    for (int way = Integer.highestOneBit(problem.size() - 1); way > 0; way /= 2) {
      phases.add(new Phase(1, Powers.numbersWith(way, problem.size())));
    }
    return phases;
  }

  @Override
  protected int longestChain(Problem problem) {
    return Powers.doublingChain(problem.size());
  }

  @Override
  public long blocksSent(Problem problem) {
    long sum = 0;
    for (int way = 1; way < problem.size(); way *= 2) {
      sum += Powers.numbersWith(way, problem.size());
    }
    return sum;
  }
}
