package org.sparkcollectives.internal.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every rank meets every other one once, and hears from whom that one sends to. */
final class DirectPeersTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 8, 12, 13, 16, 64})
  void ranksMeetAllOthersOnce(int size) {
    meet(DirectPeers.of(size, false));
    meet(DirectPeers.of(size, true));
  }

  private static void meet(DirectPeers peers) {
    for (int rank = 0; rank < peers.size(); rank++) {
      BitSet met = new BitSet();
      for (int distance = 1; distance < peers.size(); distance++) {
        int target = peers.target(rank, distance);
        assertEquals(rank, peers.source(target, distance));
        met.set(target);
      }
      assertEquals(peers.size() - 1, met.cardinality());
      assertFalse(met.get(rank));
    }
  }

  @Test
  void aPowerOfTwoOfRanksMeetsInPairs() {
    DirectPeers peers = DirectPeers.of(8, false);
    for (int distance = 1; distance < 8; distance++) {
      assertEquals(peers.source(5, distance), peers.target(5, distance));
    }
    assertEquals(7, peers.target(5, 2));
    assertEquals(1, DirectPeers.of(6, false).target(5, 2));
  }
}
