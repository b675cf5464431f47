package org.sparkcollectives.internal.algorithm.pattern;

import java.util.function.IntUnaryOperator;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.pattern.TwoTreePipeline.Edge;
import org.sparkcollectives.internal.shape.Couples;
import org.sparkcollectives.internal.shape.TwoTrees;
import org.sparkcollectives.schedule.BlockRange;

/**
 * A {@link TwoTreePipeline} over couples of ranks that send or receive in a round, never both. A
 * step of the pipeline is two rounds: in one of them blocks pass between couples, in the other one
 * between the two members of a couple. One to three ranks that are left over are a chain between
 * the trees and the root. Source: Sanders, Speck, Träff 2009 (doi:10.1016/j.parco.2009.09.001),
 * Section 5.2.
 *
 * <p>Ranks are known by their distance from the root: first the chain, then the couples' members in
 * sequence. A reduction is in rank order if ranks grow, or fall, with the distance.
 *
 * @param others the number of ranks besides the root, at least 1
 * @param blocks the number of blocks
 * @param rankAt the rank at a distance, the root at 0
 */
public record CouplePipeline(int others, int blocks, IntUnaryOperator rankAt) {

  /** The number of couples, an even one. */
  private int nodes() {
    return others / 4 * 2;
  }

  /** The number of ranks between the trees and the root. */
  private int chain() {
    return others % 4;
  }

  private boolean hasTrees() {
    return nodes() > 0;
  }

  private TwoTreePipeline pipeline() {
    return new TwoTreePipeline(TwoTrees.inOrder(nodes()), blocks, IntUnaryOperator.identity());
  }

  private int steps() {
    return hasTrees() ? pipeline().rounds() : blocks;
  }

  /**
   * The number of rounds of a broadcast or a reduction.
   *
   * @return twice the steps and one for each rank of the chain; without trees 2 less
   */
  public int rounds() {
    return 2 * steps() + chain() - (hasTrees() ? 0 : 2);
  }

  /**
   * Whether the root sends in the even rounds of a broadcast, or receives in the even rounds of a
   * reduction.
   *
   * @param reduction whether it is a reduction
   * @return false for the odd rounds
   */
  public boolean rootWorksInEvenRounds(boolean reduction) {
    return !reduction || chain() % 2 != 0;
  }

  /** The rank of a couple's member. */
  private int member(int node, int member) {
    return rankAt.applyAsInt(chain() + 1 + 2 * node + member);
  }

  /** Takes what the pipeline carries past its roots. */
  private interface Delivery {
    void accept(int step, BlockRange block, int treeRoot);
  }

  private void forEachDelivery(boolean reduction, Delivery delivery) {
    if (!hasTrees()) {
      for (int i = 0; i < blocks; i++) {
        delivery.accept(i, BlockRange.of(i), TwoTrees.NONE);
      }
      return;
    }
    TwoTreePipeline pipeline = pipeline();
    Couples couples = new Couples(pipeline.trees());
    for (Edge edge : pipeline.below(TwoTrees.NONE)) {
      int root = member(edge.child(), couples.upper(edge.child(), edge.arrival()));
      int first = firstStep(pipeline, edge, reduction);
      for (int i = 0; i < pipeline.count(edge.tree()); i++) {
        delivery.accept(first + 2 * i, pipeline.block(edge.tree(), i), root);
      }
    }
  }

  private static int firstStep(TwoTreePipeline pipeline, Edge edge, boolean reduction) {
    return reduction
        ? pipeline.departure(edge.tree(), edge.arrival(), pipeline.rounds())
        : edge.arrival();
  }

  /**
   * Enters one rank's part of the broadcast of the root's vector.
   *
   * @param builder takes the rounds
   * @param distance the rank's distance from the root
   * @param start the number of the first round
   */
  public void broadcast(ScheduleBuilder builder, int distance, int start) {
    if (distance <= chain()) {
      forEachDelivery(
          false,
          (step, block, treeRoot) -> {
            int round = start + 2 * step + distance;
            if (distance > 0) {
              int peer = rankAt.applyAsInt(distance - 1);
              builder.receive(round - 1, peer, ScheduleBuilder.VECTOR, block);
            }
            int next = distance < chain() ? rankAt.applyAsInt(distance + 1) : treeRoot;
            if (next != TwoTrees.NONE) {
              builder.send(round, next, ScheduleBuilder.VECTOR, block);
            }
          });
    } else {
      new Member(builder, distance, false, start + chain()).plan();
    }
  }

  /**
   * Enters one rank's part of the reduction of all vectors into the root's.
   *
   * @param builder takes the rounds
   * @param distance the rank's distance from the root
   * @param start the number of the first round
   */
  public void reduce(ScheduleBuilder builder, int distance, int start) {
    if (distance <= chain()) {
      forEachDelivery(
          true,
          (step, block, treeRoot) -> {
            int round = start + 2 * step + (hasTrees() ? 1 : -1) + chain() - distance;
            int before = distance < chain() ? rankAt.applyAsInt(distance + 1) : treeRoot;
            if (before != TwoTrees.NONE) {
              builder.receiveInOrder(round, before, block);
            }
            if (distance > 0) {
              int peer = rankAt.applyAsInt(distance - 1);
              builder.send(round + 1, peer, ScheduleBuilder.VECTOR, block);
            }
          });
    } else {
      new Member(builder, distance, true, start + 1).plan();
    }
  }

  /** One member of a couple at work; {@code first} is the round of step 0 between couples. */
  private final class Member {
    private final TwoTreePipeline pipeline = pipeline();
    private final Couples couples = new Couples(pipeline.trees());
    private final ScheduleBuilder builder;
    private final boolean reduction;
    private final int first;
    private final int node;
    private final int own;

    Member(ScheduleBuilder builder, int distance, boolean reduction, int first) {
      this.builder = builder;
      this.reduction = reduction;
      this.first = first;
      this.node = (distance - chain() - 1) / 2;
      this.own = (distance - chain() - 1) % 2;
    }

    void plan() {
      for (Edge edge : pipeline.above(node)) {
        planAbove(edge);
      }
      for (Edge edge : pipeline.below(node)) {
        if (own == couples.lower(node, edge.arrival())) {
          planBelow(edge);
        }
      }
    }

    private void planAbove(Edge edge) {
      int upper = couples.upper(node, edge.arrival());
      int partner = member(node, 1 - own);
      int parent =
          edge.parent() == TwoTrees.NONE
              ? rankAt.applyAsInt(chain())
              : member(edge.parent(), couples.lower(edge.parent(), edge.arrival()));
      for (int i = 0; i < pipeline.count(edge.tree()); i++) {
        int round = first + 2 * (firstStep(pipeline, edge, reduction) + 2 * i);
        BlockRange block = pipeline.block(edge.tree(), i);
        if (reduction) {
          pass(round - 1, 1 - upper, partner, block);
          if (own == upper) {
            builder.send(round, parent, ScheduleBuilder.VECTOR, block);
          }
        } else {
          if (own == upper) {
            builder.receive(round, parent, ScheduleBuilder.VECTOR, block);
          }
          pass(round + 1, upper, partner, block);
        }
      }
    }

    /** Passes a block from one member of the couple to the other one. */
    private void pass(int round, int sender, int partner, BlockRange block) {
      if (own == sender) {
        builder.send(round, partner, ScheduleBuilder.VECTOR, block);
      } else if (reduction) {
        builder.receiveInOrder(round, partner, block);
      } else {
        builder.receive(round, partner, ScheduleBuilder.VECTOR, block);
      }
    }

    private void planBelow(Edge edge) {
      int child = member(edge.child(), couples.upper(edge.child(), edge.arrival()));
      for (int i = 0; i < pipeline.count(edge.tree()); i++) {
        int round = first + 2 * (firstStep(pipeline, edge, reduction) + 2 * i);
        BlockRange block = pipeline.block(edge.tree(), i);
        if (reduction) {
          builder.receiveInOrder(round, child, block);
        } else {
          builder.send(round, child, ScheduleBuilder.VECTOR, block);
        }
      }
    }
  }

  /**
   * The most blocks that one rank sends in a broadcast. Of four couples on, one inner node's member
   * sends all blocks of tree 0 to a child and to its partner.
   *
   * @return a number of blocks
   */
  public long blocksBroadcast() {
    return nodes() < 4 ? blocks : 2 * ((blocks + 1L) / 2);
  }
}
