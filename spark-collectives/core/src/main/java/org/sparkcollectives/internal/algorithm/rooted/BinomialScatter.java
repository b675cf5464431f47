package org.sparkcollectives.internal.algorithm.rooted;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.Collections;
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
 * Scatter along a binomial tree.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 4.2,
 * where it begins a broadcast.
 *
 * <p><b>Idea.</b> Each rank that has the parts of several ranks sends half of them to one of these
 * ranks. Subtrees are runs of ranks for every root, since the root leads its own group at each
 * level, so that a message is one run of blocks.
 *
 * <p><b>Cost.</b> For m bytes in all, any p: ceil(log2 p) rounds, ceil(log2 p)α + m(1 - 1/p)β for p
 * a power of two and less than mβ for the root otherwise.
 *
 * <p><b>Restrictions.</b> None; parts may be uneven. <b>Memory.</b> A rank's vector takes the parts
 * of its subtree.
 *
 * <p><b>Example.</b> p = 5, root 3: 3→4 part 4; 3→0 parts 0 and 1; 3→2 part 2 and 0→1 part 1.
 */
public final class BinomialScatter extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public BinomialScatter() {
    super(
        Collective.SCATTER,
        "binomial",
        new Traits(
            true,
            "mpich 2005, 4.2",
            "parts along a binomial tree; for any vectors",
            "ceil(log2 p); b < p: <= ceil(log2 p)",
            "<= b - floor(b/p)"));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    BinomialParts parts = new BinomialParts(problem);
    BinomialTree tree = parts.tree();
    int top = tree.parentLevel(rank);
    int last = tree.levels() - 1;
    if (top < tree.levels()) {
      builder.receive(last - top, tree.partner(rank, top), VECTOR, parts.group(rank, top));
    }
    for (int level = 0; level < top; level++) {
      int child = tree.partner(rank, level);
      if (child != BinomialTree.NONE) {
        builder.send(last - level, child, VECTOR, parts.group(child, level));
      }
    }
    builder.own(EvenParts.of(problem.blocks(), problem.size(), rank));
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    BinomialParts parts = new BinomialParts(problem);
    List<Phase> phases = parts.phases(parts.lowest(), parts.tree().levels());
    Collections.reverse(phases);
    return phases;
  }

  @Override
  protected int longestChain(Problem problem) {
    return new BinomialParts(problem).tree().depth();
  }

  /** {@inheritDoc} The root sends all but its own part. */
  @Override
  public long blocksSent(Problem problem) {
    int own = EvenParts.of(problem.blocks(), problem.size(), problem.root()).size();
    return (long) problem.blocks() - own;
  }
}
