package org.sparkcollectives.internal.algorithm.scan;

import org.sparkcollectives.internal.shape.TreeOfFirstRanks;

/**
 * Scan up and down one in-order tree of the hosts' first ranks, with the hosts' other ranks below,
 * inclusive or exclusive.
 *
 * <p><b>Source.</b> Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 4, second construction.
 *
 * <p><b>Idea.</b> The doubly pipelined scan of {@link DoublyPipelinedBinaryTreeScan} along {@link
 * TreeOfFirstRanks}, which is flatter than {@link TreeOfHostTreesScan}'s tree: at most two ranks of
 * a host use the network, but some hosts' other ranks hang under the next host's first rank, so up
 * to about 3mP bytes cross it for P hosts.
 *
 * <p><b>Cost.</b> For m bytes in b blocks and a tree of height n: at most 3(b - 1) + 4n - 2 rounds,
 * each α + (m/b)(β + γ), exclusive α + (m/b)(β + 2γ). n is at most ceil(log2(P + 1)) + ceil(log2 l)
 * - 1 for P hosts of up to l ranks.
 *
 * <p><b>Restrictions.</b> The ranks of a host are consecutive. <b>Memory.</b> The vector and one
 * block; an exclusive scan keeps what comes up from the left until it goes down, at most about 4n/3
 * blocks.
 *
 * <p><b>Example.</b> Hosts {0, 1, 2}, {3, 4}, {5}: 3 is the root over 0 and 5. 2(1) is the right
 * child of 0, for that has none among the first ranks; 4 is the left child of 5, for 3 has one.
 */
public final class TreeOfFirstRanksScan extends HostTreeScan {
  /**
   * Makes the algorithm.
   *
   * @param exclusive whether a rank's own vector is left out of its result
   */
  public TreeOfFirstRanksScan(boolean exclusive) {
    super(
        exclusive,
        "tree-of-first-ranks",
        "blocks up and down a tree of the hosts' first ranks with the others below: least height",
        "<= 3(b - 1) + 4 (ceil(log2(h+1)) + ceil(log2 g) - 1) - 2",
        TreeOfFirstRanks::new);
  }
}
