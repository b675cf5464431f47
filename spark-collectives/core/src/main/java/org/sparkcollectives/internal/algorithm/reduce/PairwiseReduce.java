package org.sparkcollectives.internal.algorithm.reduce;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.EvenParts;
import org.sparkcollectives.internal.algorithm.pattern.PartsToRoot;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Reduction by messages straight from every rank to every other one, then from all to the root.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Sections 4.4
 * and 5.3.
 *
 * <p><b>Idea.</b> The vector has p parts, and part v is that of the rank v places after the root.
 * In round i each rank sends the part of the rank i places further on and combines what it gets for
 * its own part. No message of this half waits for another one, as it would on a ring. Then the
 * ranks send their parts to the root, one after the other.
 *
 * <p><b>Cost.</b> For m bytes, any p: 2(p - 1) rounds, 2(p - 1)α + 2m(1 - 1/p)β + m(1 - 1/p)γ. Of α
 * all but the gap is paid twice, not 2(p - 1) times. In the second half a rank sends or receives,
 * never both.
 *
 * <p><b>Restrictions.</b> A part's sum begins at its rank, so the operator must commute.
 * <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 3, root 0, b = 3: 0→1 block 1, 1→2 block 2, 2→0 block 0; 0→2 block 2, 1→0
 * block 0, 2→1 block 1, now complete; 1→0 block 1; 2→0 block 2.
 */
public final class PairwiseReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public PairwiseReduce() {
    super(
        Collective.REDUCE,
        "pairwise",
        new Traits(
            false,
            "mpich 2005, 4.4, 5.3",
            "each part straight from every rank to its own, then to the root; for small p",
            "2(p - 1)",
            "b",
            Set.of(Traits.Feature.ROAMING, Traits.Feature.CYCLIC, Traits.Feature.SHIFTING)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    Ring ring = new Ring(problem.size());
    PartsToRoot parts = new PartsToRoot(problem);
    int place = ring.shift(rank, -problem.root());
    for (int distance = 1; distance < problem.size(); distance++) {
      int round = distance - 1;
      builder.send(
          round, ring.shift(rank, distance), VECTOR, parts.part(ring.shift(place, distance)));
      builder.receiveInOrder(round, ring.shift(rank, -distance), parts.part(place));
    }
    parts.gather(builder, problem.size() - 1, rank);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int part = EvenParts.largest(problem.blocks(), problem.size());
    return List.of(new Phase(problem.size() - 1, part, part), new PartsToRoot(problem).phase());
  }

  /** {@inheritDoc} One round of each half. */
  @Override
  public List<Phase> path(Problem problem, boolean fullDuplex) {
    return phases(problem).stream().map(phase -> phase.withRounds(1)).toList();
  }

  /** {@inheritDoc} The root sends all but its part, and every other rank its part last. */
  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : problem.blocks();
  }

  @Override
  public int naturalBlocks(int size) {
    return size;
  }
}
