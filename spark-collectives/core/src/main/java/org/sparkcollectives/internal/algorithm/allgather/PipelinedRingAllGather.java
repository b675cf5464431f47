package org.sparkcollectives.internal.algorithm.allgather;

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
 * Allgather of parts of different lengths around a ring, block by block.
 *
 * <p><b>Source.</b> The ring of Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521),
 * Section 4.1, whose parts are cut into blocks as in a pipeline (Sanders, Sibeyn 2000, Section 2).
 *
 * <p><b>Idea.</b> Long parts have more blocks than short ones. Every rank sends its own blocks to
 * the next rank, then those of the rank before it, and so on ({@link RingTurns}). All links are
 * busy from the first round to the last, however blocks are shared out, where {@code ring} waits
 * for the longest part in each of its p - 1 rounds.
 *
 * <p><b>Cost.</b> For m bytes in b blocks of nearly equal length, of which each rank has one or
 * more: b - least rounds, where least is the smallest part's number of blocks; (b - least)(α +
 * (m/b)β). One rank with everything is a pipeline of b + p - 2 rounds.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> p = 3, rank 0 has blocks 0 and 1, rank 1 block 2, rank 2 block 3: 0→1 block 0,
 * 1→2 block 2, 2→0 block 3; 0→1 block 1, 1→2 block 0, 2→0 block 2; 0→1 block 3, 1→2 block 1.
 */
public final class PipelinedRingAllGather extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public PipelinedRingAllGather() {
    super(
        Collective.ALLGATHER,
        "pipelined-ring",
        new Traits(
            true,
            "mpich 2005, 4.1; fractional 2000, 2",
            "each part once around, long ones in more blocks; for parts of different lengths",
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
    int round = 0;
    for (BlockRange block : turns.passed(rank)) {
      builder.send(round++, next, VECTOR, block);
    }
    round = 0;
    for (BlockRange block : turns.passed(previous)) {
      builder.receive(round++, previous, VECTOR, block);
    }
    builder.own(turns.part(rank));
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(new Phase(new RingTurns(problem).turns(), 1));
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
