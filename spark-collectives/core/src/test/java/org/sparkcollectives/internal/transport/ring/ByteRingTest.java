package org.sparkcollectives.internal.transport.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.sparkcollectives.transport.Seed;

final class ByteRingTest {
  private static final int WRITTEN_OFFSET = 128;

  @Test
  void cursorsThatCannotBeRightAreAnError() throws IOException {
    for (long held : new long[] {-1, 65, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32}) {
      ByteBuffer cursors =
          ByteBuffer.allocateDirect(ByteRing.CURSOR_BYTES).order(ByteOrder.nativeOrder());
      ByteRing ring = new ByteRing(cursors, ByteBuffer.allocateDirect(64));
      ring.write(ByteBuffer.allocate(10));
      assertEquals(10, ring.read(ByteBuffer.allocate(10)));
      cursors.putLong(WRITTEN_OFFSET, 10 + held);
      for (Executable use :
          List.<Executable>of(
              ring::held,
              ring::room,
              () -> ring.read(ByteBuffer.allocate(100)),
              () -> ring.write(ByteBuffer.allocate(100)))) {
        String text = String.valueOf(assertThrows(IOException.class, use).getMessage());
        assertTrue(text.contains("cursors of shared memory cannot be right"), text);
      }
    }
  }

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
  void bytesMadeAndUsedInPlaceAreThoseOfTheModel() {
    Seed.run(
        ByteRingTest.class,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          ByteRing ring = new ByteRing(64);
          Queue<Byte> model = new ArrayDeque<>();
          int written = 0;
          int read = 0;
          for (int step = 0; step < 20_000; step++) {
            ByteBuffer room = ring.room();
            assertEquals(ByteOrder.LITTLE_ENDIAN, room.order());
            assertEquals(part(64 - model.size(), written), room.remaining());
            int put = random.nextInt(room.remaining() + 1);
            for (int i = 0; i < put; i++) {
              byte next = (byte) random.nextInt();
              room.put(next);
              model.add(next);
            }
            ring.wrote(put);
            written += put;
            assertEquals(model.size() == 64, ring.isFull());
            ByteBuffer held = ring.held();
            assertEquals(part(model.size(), read), held.remaining());
            int used = random.nextInt(held.remaining() + 1);
            for (int i = 0; i < used; i++) {
              assertEquals(model.remove(), held.get());
            }
            ring.consumed(used);
            read += used;
            assertEquals(model.isEmpty(), ring.isEmpty());
          }
        });
  }

  /** What lies side by side of some bytes from a position on, a quarter of 64 at most. */
  private static int part(int bytes, int position) {
    return Math.min(Math.min(bytes, 16), 64 - position % 64);
  }

  @Test
  void cursorsPassTheLargestInt() throws IOException {
    ByteBuffer cursors = ByteBuffer.allocateDirect(ByteRing.CURSOR_BYTES);
    cursors.order(ByteOrder.nativeOrder());
    cursors.putLong(0, Integer.MAX_VALUE - 5L).putLong(128, Integer.MAX_VALUE - 5L);
    ByteRing ring = new ByteRing(cursors, ByteBuffer.allocateDirect(8));
    for (int i = 0; i < 20; i++) {
      assertEquals(8, ring.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9})));
      assertTrue(ring.isFull());
      ByteBuffer target = ByteBuffer.allocate(9);
      assertEquals(8, ring.read(target));
      assertEquals(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}), target.flip());
      assertTrue(ring.isEmpty());
    }
  }

  @Test
  void aSideThatSleepsIsWokenOnceAndSleepsOnlyWithReason() throws IOException {
    ByteRing ring = new ByteRing(8);
    assertFalse(ring.wakesReader());
    assertTrue(ring.readerSleeps());
    assertTrue(ring.wakesReader());
    assertFalse(ring.wakesReader());
    assertFalse(ring.writerSleeps());
    ring.writerAwake();
    assertFalse(ring.wakesWriter());
    assertEquals(8, ring.write(ByteBuffer.allocate(9)));
    assertFalse(ring.readerSleeps());
    ring.readerAwake();
    assertFalse(ring.wakesReader());
    assertTrue(ring.writerSleeps());
    assertTrue(ring.wakesWriter());
    assertFalse(ring.wakesWriter());
  }

  /**
   * Two threads that sleep whenever they may, and are woken by nobody but the other: a wake-up that
   * is lost leaves both asleep.
   */
  @Test
  void noWakeUpIsLostBetweenTwoThreads() {
    Seed.run(
        ByteRingTest.class,
        seed -> {
          int bytes = 2_000_000;
          ByteRing ring = new ByteRing(64);
          Semaphore reader = new Semaphore(0);
          Semaphore writer = new Semaphore(0);
          FutureTask<Long> reading =
              new FutureTask<>(() -> readAll(ring, bytes, seed, reader, writer));
          FutureTask<Long> writing =
              new FutureTask<>(() -> writeAll(ring, bytes, seed, writer, reader));
          for (FutureTask<Long> task : List.of(reading, writing)) {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            thread.start();
          }
          assertEquals(writing.get(60, TimeUnit.SECONDS), reading.get(60, TimeUnit.SECONDS));
        });
  }

  private static long readAll(ByteRing ring, int bytes, long seed, Semaphore own, Semaphore other)
      throws InterruptedException, IOException {
    SplittableRandom pieces = new SplittableRandom(seed);
    long sum = 0;
    for (int done = 0; done < bytes; ) {
      ByteBuffer held = ring.held();
      int count = Math.min(held.remaining(), pieces.nextInt(1, 9));
      for (int i = 0; i < count; i++) {
        sum = sum * 31 + held.get();
      }
      ring.consumed(count);
      done += count;
      if (count > 0 && ring.wakesWriter()) {
        other.release();
      }
      if (count == 0) {
        if (ring.readerSleeps()) {
          assertTrue(own.tryAcquire(30, TimeUnit.SECONDS), "the reader was not woken");
        }
        ring.readerAwake();
      }
    }
    return sum;
  }

  private static long writeAll(ByteRing ring, int bytes, long seed, Semaphore own, Semaphore other)
      throws InterruptedException, IOException {
    SplittableRandom pieces = new SplittableRandom(seed + 1);
    long sum = 0;
    for (int done = 0; done < bytes; ) {
      ByteBuffer room = ring.room();
      int count = Math.min(Math.min(room.remaining(), bytes - done), pieces.nextInt(1, 9));
      for (int i = 0; i < count; i++) {
        byte next = (byte) pieces.nextInt();
        room.put(next);
        sum = sum * 31 + next;
      }
      ring.wrote(count);
      done += count;
      if (count > 0 && ring.wakesReader()) {
        other.release();
      }
      if (count == 0) {
        if (ring.writerSleeps()) {
          assertTrue(own.tryAcquire(30, TimeUnit.SECONDS), "the writer was not woken");
        }
        ring.writerAwake();
      }
    }
    return sum;
  }

  @Test
  void isEmptyBeforeTheFirstWrite() throws IOException {
    ByteRing ring = new ByteRing(8);
    assertTrue(ring.isEmpty());
    assertFalse(ring.isFull());
    assertEquals(0, ring.read(ByteBuffer.allocate(4)));
    assertEquals(0, ring.held().remaining());
  }

  @Test
  void holdsAPowerOfTwoOfBytes() {
    assertThrows(IllegalArgumentException.class, () -> new ByteRing(100));
    assertThrows(IllegalArgumentException.class, () -> new ByteRing(0));
  }
}
