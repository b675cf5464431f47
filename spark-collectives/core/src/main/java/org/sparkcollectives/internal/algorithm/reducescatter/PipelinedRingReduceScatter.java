package org.sparkcollectives.internal.algorithm.reducescatter;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.RingTurns;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Reduce-scatter to parts of different lengths around a ring, block by block.
 *
 * <p><b>Source.</b> The ring after Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521),
 * Section 5.3, whose parts are cut into blocks as in a pipeline (Sanders, Sibeyn 2000, Section 2).
 *
 * <p><b>Idea.</b> The allgather {@code pipelined-ring} backwards: in the rounds from the last to
 * the first, what a rank passes on there comes back to it, and it adds its own contribution. All
 * links are busy, however the vector is shared out, where {@code ring} waits for the longest part
 * in each of its p - 1 rounds.
 *
 * <p><b>Cost.</b> For m bytes in b blocks of nearly equal length, of which each rank gets one or
 * more: b - least rounds, where least is the smallest part's number of blocks; (b - least)(α +
 * (m/b)(β + γ)). For one rank that gets everything it is a pipeline of b + p - 2 rounds.
 *
 * <p><b>Restrictions.</b> The sum of a part begins with the rank before its owner, so the operator
 * must commute. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 3, rank 0 gets blocks 0 and 1, rank 1 block 2, rank 2 block 3: 1→0 block
 * 3, 2→1 block 1; 1→0 block 1, 2→1 block 0, 0→2 block 2; 1→0 block 0, 2→1 block 2, 0→2 block 3.
 */
public final class PipelinedRingReduceScatter extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public PipelinedRingReduceScatter() {
    super(
        Collective.REDUCE_SCATTER,
        "pipelined-ring",
        new Traits(
            false,
            "mpich 2005, 5.3; fractional 2000, 2",
            "each part once around to be summed, long ones in more blocks; for different lengths",
            "b - floor(b/p); b < p: <= p - 1",
            "b - floor(b/p)",
            Set.of(Traits.Feature.BY_HOST, Traits.Feature.UNEVEN, Traits.Feature.CYCLIC)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    RingTurns turns = new RingTurns(problem);
    Ring ring = new Ring(problem.size());
    int next = ring.shift(rank, 1);
    int previous = ring.shift(rank, -1);
    int round = turns.turns();
    for (BlockRange block : turns.passed(rank)) {
      round--;
      if (!block.isEmpty()) {
        builder.receiveRight(round, next, block);
      }
    }
    round = turns.turns();
    for (BlockRange block : turns.passed(previous)) {
      round--;
      if (!block.isEmpty()) {
        builder.send(round, previous, VECTOR, block);
      }
    }
    builder.own(turns.part(rank));
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(new Phase(new RingTurns(problem).turns(), 1, 1));
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : new RingTurns(problem).mostPassed();
  }

  @Override
  public int naturalBlocks(int size) {
    return 0;
  }
}
