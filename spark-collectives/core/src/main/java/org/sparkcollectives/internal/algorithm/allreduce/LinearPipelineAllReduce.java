package org.sparkcollectives.internal.algorithm.allreduce;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * All-reduce of block after block along a chain of all ranks and, from its end, once more around.
 *
 * <p><b>Source.</b> Sanders, Sibeyn 2000, Section 2, for the chain; the paper has no all-reduce.
 *
 * <p><b>Idea.</b> A block is combined on its way from rank 0 to rank p - 1, which has the result
 * and sends it on to rank 0, and so once more along the chain to rank p - 2. Every rank receives
 * from the one before it and sends to the one after it, a combined block p rounds after the same
 * block uncombined. Blocks start in runs of p: while the results of one run pass, no new block
 * does.
 *
 * <p><b>Cost.</b> For m bytes in b blocks and p > 2: 2p - 2 + s rounds, where the last block starts
 * in round s = b - 1 + p floor((b - 1)/p): b + 2p - 3 rounds for b ≤ p, 2b + p - 3 if p divides b.
 * Each α + mβ/b, and γ in all but the last p - 1. For p = 2: b + 1 rounds. A run begins when the
 * results of the one before have passed rank 0, so each but the last waits for p latencies.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 5: every block goes 0→1→2→3→4→0→1→2→3; blocks 0 to 4 start in rounds 0 to
 * 4, block 5 in round 10.
 */
public final class LinearPipelineAllReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public LinearPipelineAllReduce() {
    super(
        Collective.ALLREDUCE,
        "linear-pipeline",
        new Traits(
            true,
            "fractional 2000, 2",
            "block after block along a chain, and the results once more around; for small p",
            "2p - 3 + b + p floor((b - 1)/p)",
            "2b",
            Set.of(Traits.Feature.BY_HOST)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    int size = problem.size();
    Ring ring = new Ring(size);
    int before = ring.shift(rank, -1);
    int after = ring.shift(rank, 1);
    for (int i = 0; i < problem.blocks(); i++) {
      BlockRange block = BlockRange.of(i);
      int start = start(size, i);
      if (rank > 0) {
        builder.receiveLeft(start + rank - 1, before, block);
      }
      if (rank < size - 1) {
        builder.send(start + rank, after, VECTOR, block);
        builder.receive(start + size - 1 + rank, before, VECTOR, block);
      }
      if (rank != size - 2) {
        // Rank size - 1 sends the result a round after it took the last operand.
        int passed = rank == size - 1 ? size - 1 : size + rank;
        builder.send(start + passed, after, VECTOR, block);
      }
    }
  }

  /** The round in which rank 0 sends a block on its way. */
  private static int start(int size, int block) {
    return block + passing(size, block);
  }

  /** The rounds before that in which results pass rank 0. Two ranks do not pass anything on. */
  private static int passing(int size, int block) {
    return size > 2 ? size * (block / size) : 0;
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int size = problem.size();
    int last = start(size, problem.blocks() - 1);
    return List.of(new Phase(last + size - 1, 1, 1), new Phase(size - 1, 1));
  }

  /** {@inheritDoc} The first result of a run comes around before the next run begins. */
  @Override
  public List<Phase> path(Problem problem, boolean fullDuplex) {
    int waiting = passing(problem.size(), problem.blocks() - 1);
    List<Phase> path = new ArrayList<>(super.path(problem, fullDuplex));
    if (waiting > 0) {
      path.add(new Phase(waiting, 1));
    }
    return path;
  }

  @Override
  public long blocksSent(Problem problem) {
    return (long) problem.blocks() * Math.min(2, problem.size() - 1);
  }
}
