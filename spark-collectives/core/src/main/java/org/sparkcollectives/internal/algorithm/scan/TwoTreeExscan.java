package org.sparkcollectives.internal.algorithm.scan;

import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.scan.ScanTiming.Place;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Exclusive scan of one half of the blocks along each of two in-order binary trees, pipelined both
 * ways.
 *
 * <p><b>Source.</b> Sanders, Speck, Träff 2009 (doi:10.1016/j.parco.2009.09.001), Section 4.3, for
 * the inclusive scan.
 *
 * <p><b>Idea.</b> The same messages in the same rounds as {@link TwoTreeScan}. A rank keeps what
 * its left child sends up apart from its own vector, which its parent and its right child are to
 * get but which is no part of its result. Rank 0 keeps its vector.
 *
 * <p><b>Cost.</b> As {@link TwoTreeScan}, with up to one combination more per block at ranks with
 * two children.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector, the blocks on their way, and at inner
 * nodes the left child's blocks from their way up to their way down: in the order of log2 p blocks,
 * or all of the tree's where there are fewer.
 *
 * <p><b>Example.</b> p = 3, b = 2: block 0 goes up 0→1→2; block 1 goes up 1→0→2 and down 0→1; ranks
 * 1 and 2 take what they receive as the result.
 */
public final class TwoTreeExscan extends ScheduledAlgorithm {
  /** Makes the algorithm. */
  public TwoTreeExscan() {
    super(
        Collective.EXSCAN,
        "two-tree",
        new Traits(
            true,
            "two-tree 2009, 4.3",
            "each half of the blocks up and down one of two in-order trees; for long vectors",
            "<= 4 ceil(log2(p+2)) - 5 + 4 ceil(b/2)",
            "b + 2 ceil(b/2)"));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    ScanTiming timing = new ScanTiming(problem);
    for (int tree = 0; tree <= 1; tree++) {
      Place place = Place.of(timing.trees(), tree, rank);
      for (int i = 0; i < timing.count(tree); i++) {
        TreeScan.plan(true, timing.crossing(place, i), builder);
      }
    }
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    return List.of(new Phase(new ScanTiming(problem).rounds(), 1, 2));
  }

  @Override
  public long blocksSent(Problem problem) {
    return problem.size() == 1 ? 0 : new ScanTiming(problem).blocksSent();
  }

  @Override
  public int naturalBlocks(int size) {
    return 0;
  }
}
