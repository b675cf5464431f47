package org.sparkcollectives.internal.algorithm.scan;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.shape.TreeOfHostTrees;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Scan up and down one in-order tree that is a tree of the hosts' trees, inclusive or exclusive.
 *
 * <p><b>Source.</b> Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 4, first construction.
 *
 * <p><b>Idea.</b> The doubly pipelined scan of {@link DoublyPipelinedBinaryTreeScan} along {@link
 * TreeOfHostTrees}: P hosts have P - 1 edges between them, so at most 2mP bytes cross the network,
 * and at most three ranks of a host use it.
 *
 * <p><b>Cost.</b> For m bytes in b blocks and a tree of height n: at most 3(b - 1) + 4n - 2 rounds,
 * each α + (m/b)(β + γ), exclusive α + (m/b)(β + 2γ). n is about log2(p/P) log2 P for P hosts of
 * p/P ranks, and ceil(log2(p + 1)) - 1 for one rank per host or one host.
 *
 * <p><b>Restrictions.</b> The ranks of a host are consecutive. <b>Memory.</b> The vector and one
 * block; an exclusive scan keeps what comes up from the left until it goes down, at most about 4n/3
 * blocks.
 *
 * <p><b>Example.</b> Hosts {0, 1, 2}, {3, 4}, {5}: 4 is the root, 3 its left child; the left host's
 * root 1 hangs under 3, the right host's root 5 under 4.
 */
public final class TreeOfHostTreesScan extends ScheduledAlgorithm {
  private final HostTrees trees = new HostTrees(TreeOfHostTrees::new);
  private final boolean exclusive;

  private TreeOfHostTreesScan(boolean exclusive) {
    super(
        exclusive ? Collective.EXSCAN : Collective.SCAN,
        "tree-of-host-trees",
        new Traits(
            true,
            "scan 2006, 4",
            "blocks up and down a tree of the hosts' trees: fewest messages between hosts",
            "<= 3(b - 1) + 4 (ceil(log2(h+1)) ceil(log2(g+1)) - 1) - 2",
            "<= 3b",
            Set.of(Traits.Feature.HIERARCHICAL)));
    this.exclusive = exclusive;
  }

  /**
   * The inclusive scan.
   *
   * @return the algorithm
   */
  public static TreeOfHostTreesScan inclusive() {
    return new TreeOfHostTreesScan(false);
  }

  /**
   * The exclusive scan.
   *
   * @return the algorithm
   */
  public static TreeOfHostTreesScan exclusive() {
    return new TreeOfHostTreesScan(true);
  }

  @Override
  public @Nullable String refusal(Problem problem) {
    return Hosts.refusal(problem);
  }

  private OneTree pipeline(Problem problem) {
    return OneTree.both(trees.of(problem), problem.blocks());
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    pipeline(problem).plan(exclusive, rank, builder);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    boolean local = Hosts.of(problem).hosts() == 1;
    int rounds = pipeline(problem).rounds();
    return List.of(new Phase(rounds, 1, exclusive ? 2 : 1, true, local));
  }

  @Override
  public long blocksSent(Problem problem) {
    return pipeline(problem).blocksSent(problem.size());
  }

  @Override
  public int naturalBlocks(int size) {
    return 0;
  }
}
