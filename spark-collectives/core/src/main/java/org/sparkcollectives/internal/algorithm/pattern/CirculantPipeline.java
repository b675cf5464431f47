package org.sparkcollectives.internal.algorithm.pattern;

import java.util.function.IntUnaryOperator;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.shape.Circulant;
import org.sparkcollectives.schedule.BlockRange;

/**
 * A broadcast of b blocks along the circulant graph in b - 1 + q rounds, which no algorithm can
 * better, and the same backwards as a reduction. The q rounds of the graph's period repeat, with
 * block numbers that grow by q each time. Rounds are counted so that the last period is a full one:
 * every node other than the root receives its last block there, whose number is cut to b - 1, so
 * that each block reaches each node once. Messages of blocks below 0 are left out.
 *
 * @param size p, the number of nodes, at least 2
 * @param blocks b, the number of blocks
 * @param rankOf the rank of a node; node 0 is the root
 */
public record CirculantPipeline(int size, int blocks, IntUnaryOperator rankOf) {

  /**
   * The number of rounds of a broadcast or a reduction.
   *
   * @return b - 1 + ceil(log2 p)
   */
  public int rounds() {
    return blocks - 1 + new Circulant(size).period();
  }

  /**
   * About the most messages of which each leaves when the one before has arrived. A block is at its
   * last node after as many as the graph is {@linkplain Circulant#depth deep}. Nodes take messages
   * in the sequence of rounds, so one that came by few waits for one that came by many, and goes on
   * from there: of several blocks every other one adds a message to the chain. Counted for up to 65
   * nodes and ten numbers of blocks up to 64 it is 0.9 to 1.6 times as long as the longest, most
   * for three nodes, where one block of three adds a message.
   *
   * @return a number of messages, at most {@link #rounds}
   */
  public int longestChain() {
    int waits = blocks == 1 ? 0 : (blocks + 1) / 2;
    return size == 2 ? 1 : Math.min(rounds(), new Circulant(size).depth() + waits);
  }

  /**
   * Enters the broadcast's rounds 0 to {@code rounds() - 1}.
   *
   * @param builder takes the rounds
   * @param node the node of this rank
   */
  public void broadcast(ScheduleBuilder builder, int node) {
    broadcast(builder, 0, node);
  }

  /**
   * Enters the broadcast's rounds {@code start} to {@code start + rounds() - 1}.
   *
   * @param builder takes the rounds
   * @param start the first round
   * @param node the node of this rank
   */
  public void broadcast(ScheduleBuilder builder, int start, int node) {
    int vector = ScheduleBuilder.VECTOR;
    walk(
        node,
        (round, peer, block) -> builder.send(start + round, peer, vector, block),
        (round, peer, block) -> builder.receive(start + round, peer, vector, block));
  }

  /**
   * How many blocks a node sends in a broadcast; as many as it receives in a reduction.
   *
   * @param node the node
   * @return {@code rounds()} for the root, which sends most
   */
  public int sent(int node) {
    int[] count = {0};
    walk(node, (round, peer, block) -> count[0]++, (round, peer, block) -> {});
    return count[0];
  }

  /**
   * Enters the reduction's rounds 0 to {@code rounds() - 1}; operands are not in rank order.
   *
   * @param builder takes the rounds
   * @param node the node of this rank
   */
  public void reduce(ScheduleBuilder builder, int node) {
    reduce(builder, 0, node);
  }

  /**
   * Enters the reduction's rounds {@code start} to {@code start + rounds() - 1}; operands are not
   * in rank order.
   *
   * @param builder takes the rounds
   * @param start the first round
   * @param node the node of this rank
   */
  public void reduce(ScheduleBuilder builder, int start, int node) {
    int last = start + rounds() - 1;
    walk(
        node,
        (round, peer, block) -> builder.receiveInOrder(last - round, peer, block),
        (round, peer, block) -> builder.send(last - round, peer, ScheduleBuilder.VECTOR, block));
  }

  /** What one end of a message does. */
  private interface End {
    void enter(int round, int peer, BlockRange block);
  }

  private void walk(int node, End sender, End receiver) {
    Circulant graph = new Circulant(size);
    int period = graph.period();
    int before = Math.floorMod(1 - blocks, period);
    int[] sends = graph.sends(node);
    int[] receives = graph.receives(node);
    for (int round = 0; round < rounds(); round++) {
      int k = (round + before) % period;
      int shift = round - k;
      int skip = graph.skip(k);
      int next = (int) (((long) node + skip) % size);
      if (next != 0 && sends[k] + shift >= 0) {
        sender.enter(round, rankOf.applyAsInt(next), block(sends[k] + shift));
      }
      if (node != 0 && receives[k] + shift >= 0) {
        int previous = Math.floorMod(node - skip, size);
        receiver.enter(round, rankOf.applyAsInt(previous), block(receives[k] + shift));
      }
    }
  }

  private BlockRange block(int number) {
    return BlockRange.of(Math.min(number, blocks - 1));
  }
}
