package org.sparkcollectives.internal.algorithm.allreduce;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.CyclicParts;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * All-reduce by reduce-scatter and allgather along a circulant graph.
 *
 * <p><b>Source.</b> Träff 2024 (arXiv:2410.14234).
 *
 * <p><b>Idea.</b> Like halving and doubling, but with the distances ceil(p/2), ceil(p/4) … 1 on a
 * circle of ranks, where a rank sends to one peer and receives from another. No rank has to stand
 * back, whatever p is.
 *
 * <p><b>Cost.</b> For m bytes, any p: 2 ceil(log2 p) rounds, 2 ceil(log2 p)α + 2m(1 - 1/p)β + m(1 -
 * 1/p)γ. That is the least volume possible.
 *
 * <p><b>Restrictions.</b> The sum of part r begins with some rank after r, so the operator must
 * commute. A message may have two runs of blocks. <b>Memory.</b> The vector; received operands are
 * combined at once.
 *
 * <p><b>Example.</b> p = 3, skips 2, 1, b = 3: 0→2 block 2, 1→0 block 0, 2→1 block 1; 0→1 block 1,
 * 1→2 block 2, 2→0 block 0, now complete. 0→2 block 0, 1→0 block 1, 2→1 block 2; the same once more
 * with what is missing.
 */
public final class CirculantAllReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public CirculantAllReduce() {
    super(
        Collective.ALLREDUCE,
        "circulant",
        new Traits(
            false,
            "circulant reduce-scatter 2024",
            "reduce-scatter and allgather at halved distances; for long vectors and any p",
            "2 ceil(log2 p)",
            "<= 2b (1 - 1/p) + ceil(log2 p)",
            Set.of(
                Traits.Feature.HALVED_DISTANCES, Traits.Feature.ROAMING, Traits.Feature.CYCLIC)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    CyclicParts parts = new CyclicParts(problem.blocks(), problem.size());
    parts.reduceScatter(builder, 0, rank);
    parts.allgather(builder, parts.rounds(), rank);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    CyclicParts parts = new CyclicParts(problem.blocks(), problem.size());
    List<Phase> phases = new ArrayList<>(parts.reduceScatterPhases());
    phases.addAll(parts.allgatherPhases());
    return phases;
  }

  @Override
  protected int longestChain(Problem problem) {
    return 2 * Powers.doublingChain(problem.size());
  }

  @Override
  public long blocksSent(Problem problem) {
    return new CyclicParts(problem.blocks(), problem.size()).mostSent();
  }

  @Override
  public int naturalBlocks(int size) {
    return size;
  }
}
