package org.sparkcollectives.internal.algorithm.allreduce;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;
import static org.sparkcollectives.internal.shape.InOrderTree.NONE;

import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.shape.InOrderTree;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * All-reduce of block after block up and down one in-order binary tree at the same time.
 *
 * <p><b>Source.</b> Sanders, Speck, Träff 2009 (doi:10.1016/j.parco.2009.09.001), Section 2, for
 * reduction and broadcast; Sanders, Träff 2006 (doi:10.1007/11846802_15), Section 2.3, for both
 * ways at once.
 *
 * <p><b>Idea.</b> The edges of a binary tree have three colours such that those of a node differ.
 * In round t all edges of colour t mod 3 are used, both ways: a block that goes up meets one on its
 * way down. A node takes a block from its left child, from its right child and passes it up in
 * three successive rounds, and in the same way takes one from its parent and passes it down to the
 * left and to the right. The edge of two ranks needs one colour; those of three ranks need two, and
 * each is used up and down in turns.
 *
 * <p><b>Cost.</b> For m bytes in b blocks, h = floor(log2 p) and c = min(3, p - 1) colours: at most
 * 4h + 1 + c(b - 1) rounds, just as many if p + 1 is a power of two; each α + mβ/b, and γ in all
 * but the last 2h + 1. The rate tends to cmβ.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 5: the tree is 3 above 1 and 4, 1 above 0 and 2. Block 0: 0→1; 2→1; 1→3;
 * 4→3 is in round 3; 3→1 in round 5; 3→4 and 1→0; 1→2.
 */
public final class PipelinedBinaryTreeAllReduce extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public PipelinedBinaryTreeAllReduce() {
    super(
        Collective.ALLREDUCE,
        "pipelined-binary-tree",
        new Traits(
            true,
            "two-tree 2009, 2",
            "block after block up and down one binary tree at once; for vectors of medium size",
            "<= 4 log2 q + 3b - 2",
            "3b",
            Set.of(Traits.Feature.ALTERNATING)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    InOrderTree tree = new InOrderTree(problem.size(), false);
    int left = tree.left(rank);
    int right = tree.right(rank);
    int parent = tree.parent(rank);
    int top = 2 * tree.height();
    int colours = colours(problem.size());
    // A node that is l steps left and r steps right of the root sends up in round top - 2l - r and
    // has the result in round top + l + 2r.
    int lefts = 0;
    int rights = 0;
    for (int node = tree.root(); node != rank; ) {
      boolean below = rank < node;
      node = below ? tree.left(node) : tree.right(node);
      lefts += below ? 1 : 0;
      rights += below ? 0 : 1;
    }
    for (int i = 0; i < problem.blocks(); i++) {
      BlockRange block = BlockRange.of(i);
      int up = top - 2 * lefts - rights + colours * i;
      int down = top + lefts + 2 * rights + colours * i;
      if (left != NONE) {
        builder.receiveLeft(up - 2, left, block);
        builder.send(down + 1, left, VECTOR, block);
      }
      if (right != NONE) {
        builder.receiveRight(up - 1, right, block);
        builder.send(down + 2, right, VECTOR, block);
      }
      if (parent != NONE) {
        builder.send(up, parent, VECTOR, block);
        builder.receive(down, parent, VECTOR, block);
      }
    }
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int size = problem.size();
    int combining = 2 * Powers.floorLog2(size) + colours(size) * (problem.blocks() - 1);
    return List.of(new Phase(combining, 1, 1), new Phase(lastDown(size) + 1, 1));
  }

  /**
   * {@inheritDoc} A block is h messages up and h down again. A rank takes what goes up and what
   * comes down in turn, so that of every h blocks one has waited for the result of another, which
   * adds the way from the root's children to the leaves and back. Counted for up to 64 ranks and
   * ten numbers of blocks up to 64.
   */
  @Override
  public List<Phase> path(Problem problem, boolean fullDuplex) {
    int height = Powers.floorLog2(problem.size());
    return height == 0
        ? List.of()
        : List.of(new Phase(2 * (height + (height - 1) * (problem.blocks() - 1) / height), 1));
  }

  /**
   * The most rounds that the root's block takes to a node. On the way to the right the left
   * subtrees are complete.
   */
  private static int lastDown(int size) {
    int last = 0;
    int rights = 0;
    for (int nodes = size; nodes > 1; nodes -= Integer.highestOneBit(nodes)) {
      last = Math.max(last, 2 * rights + 2 * Powers.floorLog2(nodes) - 1);
      rights++;
      if (Powers.isPowerOfTwo(nodes)) {
        return last;
      }
    }
    return Math.max(last, 2 * rights);
  }

  @Override
  public long blocksSent(Problem problem) {
    return (long) problem.blocks() * colours(problem.size());
  }

  /**
   * The colours of edges: the number of rounds between blocks, and of edges of the busiest rank.
   */
  private static int colours(int size) {
    return Math.min(3, size - 1);
  }
}
