package org.sparkcollectives.internal.algorithm.rooted;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.EvenParts;
import org.sparkcollectives.internal.shape.BinomialTree;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Gather along a binomial tree.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 4.5,
 * where it ends a reduction.
 *
 * <p><b>Idea.</b> The scatter by {@code binomial} backwards: each rank collects the parts of its
 * subtree, which is a run of ranks, and passes them on in one message.
 *
 * <p><b>Cost.</b> For m bytes in all, any p: ceil(log2 p) rounds, ceil(log2 p)α + m(1 - 1/p)β for p
 * a power of two and less than mβ for the root otherwise.
 *
 * <p><b>Restrictions.</b> None; parts may be uneven. <b>Memory.</b> A rank's vector takes the parts
 * of its subtree.
 *
 * <p><b>Example.</b> p = 5, root 3: 2→3 part 2 and 1→0 part 1; 0→3 parts 0 and 1; 4→3 part 4.
 */
public final class BinomialGather extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public BinomialGather() {
    super(
        Collective.GATHER,
        "binomial",
        new Traits(
            true,
            "mpich 2005, 4.5",
            "parts along a binomial tree; for any vectors",
            "ceil(log2 p); b < p: <= ceil(log2 p)",
            "<= ceil(b/2); p not a power of two: <= ceil(b q/p)"));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    BinomialParts parts = new BinomialParts(problem);
    BinomialTree tree = parts.tree();
    int top = tree.parentLevel(rank);
    for (int level = 0; level < top; level++) {
      int child = tree.partner(rank, level);
      if (child != BinomialTree.NONE) {
        builder.receive(level, child, VECTOR, parts.group(child, level));
      }
    }
    if (top < tree.levels()) {
      builder.send(top, tree.partner(rank, top), VECTOR, parts.group(rank, top));
    }
    builder.own(EvenParts.of(problem.blocks(), problem.size(), rank));
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    BinomialParts parts = new BinomialParts(problem);
    return parts.phases(0, parts.highest());
  }

  @Override
  protected int longestChain(Problem problem) {
    return new BinomialParts(problem).tree().depth();
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : new BinomialParts(problem).largestChild();
  }
}
