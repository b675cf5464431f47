package org.sparkcollectives.internal.algorithm.scan;

import org.sparkcollectives.internal.shape.TreeOfHostTrees;

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
public final class TreeOfHostTreesScan extends HostTreeScan {
  /**
   * Makes the algorithm.
   *
   * @param exclusive whether a rank's own vector is left out of its result
   */
  public TreeOfHostTreesScan(boolean exclusive) {
    super(
        exclusive,
        "tree-of-host-trees",
        "blocks up and down a tree of the hosts' trees: fewest messages between hosts",
        "<= 3(b - 1) + 4 (ceil(log2(h+1)) ceil(log2(g+1)) - 1) - 2",
        TreeOfHostTrees::new);
  }
}
