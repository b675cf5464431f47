package org.sparkcollectives.transport.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.transport.Seed;

final class ByteRingTest {

  @Test
  void deliversWhatWasWrittenAtEveryPositionOfTheRing() {
    Seed.run(
        ByteRingTest.class,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          ByteRing ring = new ByteRing(64);
          Queue<Byte> model = new ArrayDeque<>();
          for (int step = 0; step < 20_000; step++) {
            byte[] data = new byte[random.nextInt(100)];
            random.nextBytes(data);
            ByteBuffer source = ByteBuffer.wrap(data);
            int taken = ring.write(source);
            assertEquals(Math.min(data.length, 64 - model.size()), taken);
            assertEquals(taken, source.position());
            for (int i = 0; i < taken; i++) {
              model.add(data[i]);
            }
            assertEquals(model.size() == 64, ring.isFull());
            ByteBuffer target = ByteBuffer.allocate(random.nextInt(100));
            int given = ring.read(target);
            assertEquals(Math.min(target.capacity(), model.size()), given);
            target.flip();
            while (target.hasRemaining()) {
              assertEquals(model.remove(), target.get());
            }
            assertEquals(model.isEmpty(), ring.isEmpty());
          }
        });
  }

  @Test
  void isEmptyBeforeTheFirstWrite() {
    ByteRing ring = new ByteRing(8);
    assertTrue(ring.isEmpty());
    assertFalse(ring.isFull());
    assertEquals(0, ring.read(ByteBuffer.allocate(4)));
  }

  @Test
  void holdsAPowerOfTwoOfBytes() {
    assertThrows(IllegalArgumentException.class, () -> new ByteRing(100));
    assertThrows(IllegalArgumentException.class, () -> new ByteRing(0));
  }
}
