package org.sparkcollectives.internal.transport.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RingPoolTest {
  private final RingPool pool = new RingPool(64);

  @Test
  void aRingComesBackEmptyAndAwake() throws IOException {
    ByteRing ring = pool.take();
    ring.write(ByteBuffer.wrap(new byte[50]));
    ring.read(ByteBuffer.allocate(30));
    assertTrue(!ring.readerSleeps());
    assertTrue(!ring.writerSleeps());
    pool.put(List.of(ring));
    assertSame(ring, pool.take());
    assertTrue(ring.isEmpty());
    assertTrue(!ring.wakesReader() && !ring.wakesWriter());
    byte[] data = {1, 2, 3};
    assertEquals(3, ring.write(ByteBuffer.wrap(data)));
    ByteBuffer read = ByteBuffer.allocate(3);
    assertEquals(3, ring.read(read));
    assertEquals(ByteBuffer.wrap(data), read.flip());
    assertEquals(64, ring.write(ByteBuffer.wrap(new byte[100])));
  }

  @Test
  void keepsABoundedNumber() {
    List<ByteRing> rings = new ArrayList<>();
    for (int i = 0; i < RingPool.KEPT + 5; i++) {
      rings.add(pool.take());
    }
    pool.put(rings);
    assertEquals(RingPool.KEPT, pool.size());
  }

  @Test
  void anotherGroupGetsTheRingsOfOneThatGaveThemBack() {
    MemoryGroup first = new MemoryGroup(pool, rank -> "rank " + rank);
    first.link(0, 1);
    first.giveBack();
    assertEquals(2, pool.size());
    MemoryGroup second = new MemoryGroup(pool, rank -> "rank " + rank);
    second.link(0, 1);
    assertEquals(0, pool.size());
    assertNotSame(pool.take(), pool.take());
  }
}
