package org.sparkcollectives.internal.algorithm.pattern;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.internal.shape.TwoTrees;

/**
 * A reduction to any member of a group along two binary trees. Out of order, the members are
 * counted from the root. In order, the nodes of the trees are all members above the root or below
 * it; a root with members on both sides has two trees for each side, and the second side starts so
 * late that its first block comes right after the last one of the first side. Source: Sanders,
 * Speck, Träff 2009, Section 4.2; the case of two sides is not in the paper.
 *
 * @param size the number of members, at least 2
 * @param root the member that gets the result
 * @param blocks the number of blocks, at least 1
 * @param ordered whether operands are combined in the order of members
 * @param slack the {@linkplain TwoTrees#withSlack slack} of the trees
 * @param rankOf the rank of a member, growing with members if that order is to be rank order
 */
public record TwoTreeReduction(
    int size, int root, int blocks, boolean ordered, int slack, IntUnaryOperator rankOf) {

  /** The trees on one side of the root, and the round in which they start. */
  private record Side(TwoTreePipeline pipeline, int lowest, int start) {
    int rounds() {
      return start + pipeline.rounds();
    }

    boolean holds(int member) {
      return member >= lowest && member < lowest + pipeline.trees().size();
    }
  }

  /**
   * The number of rounds.
   *
   * @return without slack at most 2 ceil(log2(size + 1)) + 2 ceil(blocks / 2), and 1 more in order,
   *     and {@code blocks} more in order to an inner root
   */
  public int rounds() {
    if (!ordered) {
      return renumbered().rounds();
    }
    int rounds = 0;
    for (Side side : sides()) {
      rounds = Math.max(rounds, side.rounds());
    }
    return rounds;
  }

  /**
   * The most messages of which each carries what the one before has brought.
   *
   * @return a number of messages, 1 or more
   */
  public int levels() {
    if (!ordered) {
      return renumbered().trees().levels();
    }
    int levels = 0;
    for (Side side : sides()) {
      levels = Math.max(levels, side.pipeline().trees().levels());
    }
    return levels;
  }

  /**
   * Enters one member's part.
   *
   * @param builder takes the rounds
   * @param start the first round
   * @param member the member
   */
  public void reduce(ScheduleBuilder builder, int start, int member) {
    if (!ordered) {
      int node = new Ring(size).shift(member, -root) - 1;
      renumbered().reduce(builder, node, round -> start + round);
      return;
    }
    for (Side side : sides()) {
      if (member == root || side.holds(member)) {
        int node = member == root ? TwoTrees.NONE : member - side.lowest();
        side.pipeline().reduce(builder, node, round -> start + side.start() + round);
      }
    }
  }

  private TwoTreePipeline renumbered() {
    Ring ring = new Ring(size);
    return new TwoTreePipeline(
        TwoTrees.anyOrder(size - 1).withSlack(slack),
        blocks,
        node -> rankOf.applyAsInt(ring.shift(root, node + 1)));
  }

  /** One or two sides; of two the quicker one comes first and the other follows on its heels. */
  private List<Side> sides() {
    List<Side> sides = new ArrayList<>(2);
    if (root > 0) {
      sides.add(new Side(inOrder(0, root), 0, 0));
    }
    int above = root + 1;
    if (above < size) {
      sides.add(new Side(inOrder(above, size - above), above, 0));
    }
    if (sides.size() == 2) {
      int quick = sides.get(1).rounds() < sides.get(0).rounds() ? 1 : 0;
      Side first = sides.get(quick);
      Side second = sides.get(1 - quick);
      int start = Math.max(0, first.rounds() - second.pipeline().firstDelivery());
      return List.of(first, new Side(second.pipeline(), second.lowest(), start));
    }
    return sides;
  }

  private TwoTreePipeline inOrder(int lowest, int nodes) {
    return new TwoTreePipeline(
        TwoTrees.inOrder(nodes).withSlack(slack),
        blocks,
        node -> rankOf.applyAsInt(node == TwoTrees.NONE ? root : lowest + node));
  }
}
