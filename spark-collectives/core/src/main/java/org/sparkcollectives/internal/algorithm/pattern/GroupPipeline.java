package org.sparkcollectives.internal.algorithm.pattern;

import java.util.function.IntUnaryOperator;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.internal.shape.TwoTrees;

/**
 * Broadcasts and reductions of blocks in a group of ranks, to be put together to larger operations.
 * They run along the circulant graph, in order along two trees. A group of one has no rounds.
 *
 * @param size the number of members, at least 1
 * @param root the member that has the vector, or gets the result
 * @param blocks the number of blocks, at least 1
 * @param slack the {@linkplain TwoTrees#withSlack slack} of the two trees
 * @param rankOf the rank of a member, growing with members
 */
public record GroupPipeline(int size, int root, int blocks, int slack, IntUnaryOperator rankOf) {

  /**
   * The number of rounds of a broadcast.
   *
   * @return blocks - 1 + ceil(log2 size), or 0 for one member
   */
  public int broadcastRounds() {
    return size == 1 ? 0 : blocks - 1 + Powers.ceilLog2(size);
  }

  /**
   * The number of rounds of a reduction.
   *
   * @param ordered whether operands are combined in the order of members
   * @return that of a broadcast, in order that of {@link TwoTreeReduction}
   */
  public int reduceRounds(boolean ordered) {
    return ordered && size > 1 ? inOrder().rounds() : broadcastRounds();
  }

  /**
   * Enters one member's part of a broadcast.
   *
   * @param builder takes the rounds
   * @param start the first round
   * @param member the member
   */
  public void broadcast(ScheduleBuilder builder, int start, int member) {
    if (size > 1) {
      fromRoot().broadcast(builder, start, node(member));
    }
  }

  /**
   * How many blocks a member sends in a broadcast.
   *
   * @param member the member
   * @return a number of blocks, {@link #broadcastRounds()} for the root, which sends most
   */
  public int broadcastSends(int member) {
    return size == 1 ? 0 : fromRoot().sent(node(member));
  }

  /**
   * Enters one member's part of a reduction.
   *
   * @param builder takes the rounds
   * @param start the first round
   * @param member the member
   * @param ordered whether operands are combined in the order of members
   */
  public void reduce(ScheduleBuilder builder, int start, int member, boolean ordered) {
    if (size > 1 && ordered) {
      inOrder().reduce(builder, start, member);
    } else if (size > 1) {
      fromRoot().reduce(builder, start, node(member));
    }
  }

  private int node(int member) {
    return new Ring(size).shift(member, -root);
  }

  private CirculantPipeline fromRoot() {
    Ring ring = new Ring(size);
    return new CirculantPipeline(size, blocks, node -> rankOf.applyAsInt(ring.shift(root, node)));
  }

  private TwoTreeReduction inOrder() {
    return new TwoTreeReduction(size, root, blocks, true, slack, rankOf);
  }
}
