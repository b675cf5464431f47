package org.sparkcollectives.internal.transport.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.internal.transport.LinkProvider;
import org.sparkcollectives.internal.transport.Roster;

final class MemoryGroupTest {
  private static final int RANKS = 100;

  private final MemoryGroup group = new MemoryGroup(new RingPool(64), rank -> "rank " + rank);
  private final List<Counting> ranks = IntStream.range(0, RANKS).mapToObj(Counting::new).toList();

  /** A rank that counts how often it is woken. */
  private static final class Counting implements LinkProvider.Rank {
    private final int rank;
    private int signals;

    Counting(int rank) {
      this.rank = rank;
    }

    @Override
    public Roster roster() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int rank() {
      return rank;
    }

    @Override
    public void signal() {
      signals++;
    }

    @Override
    public void wakeup() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void await(long nanos) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Selector selector() {
      throw new UnsupportedOperationException();
    }
  }

  private void joinAll() {
    ranks.forEach(rank -> group.join(rank.rank(), rank));
  }

  private int signals(int rank) {
    return ranks.get(rank).signals;
  }

  @Test
  void aRankThatLeavesWakesThoseWithALinkToItOnce() {
    RingLink early = group.link(7, 0);
    joinAll();
    group.link(8, 0);
    group.link(8, 0);
    group.link(0, 9);
    group.leave(0);
    assertEquals(List.of(1, 1), List.of(signals(7), signals(8)));
    assertEquals(2, ranks.stream().mapToInt(rank -> rank.signals).sum());
    assertFalse(early.prepare(true, false));
  }

  @Test
  void allRanksOfAChainThatLeaveWakeTheirNeighboursAlone() {
    joinAll();
    for (int rank = 1; rank < RANKS; rank++) {
      group.link(rank, rank - 1);
      group.link(rank - 1, rank);
    }
    for (int rank = 0; rank < RANKS; rank++) {
      group.leave(rank);
    }
    // Each is woken by the one before it, and has left when the one after it leaves.
    assertEquals(RANKS - 1, ranks.stream().mapToInt(rank -> rank.signals).sum());
  }

  @Test
  void aLinkToARankThatHasLeftEndsAtOnce() throws IOException {
    joinAll();
    group.leave(0);
    RingLink late = group.link(1, 0);
    assertFalse(late.prepare(true, false));
    assertEquals(-1, late.read(ByteBuffer.allocate(1)));
    assertEquals(0, signals(1));
  }
}
