package org.sparkcollectives.internal.group;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.error.AbortedException;

/** Rank 0 when all have come, and what it says of those who have not. */
final class FirstRankTest {
  /** More than the buffers of any socket hold. */
  private static final int ANSWER_BYTES = 1 << 24;

  @Test
  void manyMissingRanksAreCountedFromTheSeventeenthOn() {
    List<Integer> missing = IntStream.range(1, 24).filter(rank -> rank != 7).boxed().toList();
    Address address = new Address("127.0.0.1", 7077);
    String message =
        message(GroupErrors.incomplete(24, 100, address, missing, 0, List.of(), Set.of()));
    assertTrue(message.contains("ranks 1, 2, 3, 4, 5, 6, 8, 9, "), message);
    assertTrue(message.contains(", 17 and 6 more are missing"), message);
  }

  @Test
  void whoWaitedNoLongerIsNamedOrCounted() {
    assertTrue(message(incomplete(3, 2)).contains("; ranks 2, 3 had come and"));
    assertTrue(message(incomplete(2)).contains("are missing; rank 2 had come and"));
    assertTrue(message(incomplete(2, GroupPlan.ANY_RANK)).contains("; 2 processes had come and"));
    assertTrue(message(incomplete(GroupPlan.ANY_RANK)).contains("; 1 process had come and"));
  }

  private static Exception incomplete(Integer... gaveUp) {
    Address address = new Address("127.0.0.1", 7077);
    List<Integer> missing = List.of(1, 2, 3);
    return GroupErrors.incomplete(4, 100, address, missing, 0, List.of(gaveUp), Set.of());
  }

  private static String message(Exception e) {
    return String.valueOf(e.getMessage());
  }

  @Test
  void anInterruptEndsTheWaitForWhoDoesNotReadItsAnswer() throws Exception {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (SocketChannel silent = SocketChannel.open(server.getLocalAddress());
          SocketChannel accepted = server.accept()) {
        accepted.configureBlocking(false);
        Guest guest = new Guest(accepted);
        silent.write(MeetingFrames.hello());
        MeetingKey key = new MeetingKey(MeetingKey.random(32));
        while (!guest.isGreeted()) {
          guest.read(key);
        }
        guest.answer(ByteBuffer.allocate(ANSWER_BYTES));
        Thread.currentThread().interrupt();
        assertThrows(AbortedException.class, () -> FirstRank.awaitTaken(List.of(guest)));
        assertTrue(Thread.interrupted());
      }
    }
  }
}
