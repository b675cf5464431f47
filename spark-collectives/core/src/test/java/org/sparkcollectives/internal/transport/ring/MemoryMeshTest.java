package org.sparkcollectives.internal.transport.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sparkcollectives.testing.Background.start;
import static org.sparkcollectives.transport.Failures.assertSays;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Seed;
import org.sparkcollectives.transport.Traffic;
import org.sparkcollectives.transport.Transport;

@Timeout(120)
final class MemoryMeshTest {
  private final Deadline soon = Deadline.after(Duration.ofMinutes(2));

  @ParameterizedTest
  @CsvSource({"1,1024", "2,1", "2,64", "3,16", "5,1024", "8,262144"})
  void carriesRandomTraffic(int size, int ringBytes) {
    Seed.run(
        MemoryMeshTest.class,
        seed -> {
          List<Transport> mesh = MemoryMesh.create(size, ringBytes);
          Traffic.run(mesh, seed, 60, ringBytes == 1 ? 64 : 300_001);
          mesh.forEach(Transport::release);
        });
  }

  @Test
  void aClosedRankLeavesWhatItSentAndThenTheEndOfTheStream() throws Exception {
    List<Transport> mesh = MemoryMesh.create(2);
    Link out = link(mesh, 0, 1);
    assertEquals(3, out.write(ByteBuffer.wrap(new byte[] {5, 6, 7})));
    mesh.get(0).close();
    Link in = link(mesh, 1, 0);
    ByteBuffer target = ByteBuffer.allocate(8);
    assertEquals(3, in.read(target));
    assertEquals(ByteBuffer.wrap(new byte[] {5, 6, 7}), target.flip());
    target.clear();
    assertEquals(-1, in.read(target));
    IOException failure = assertThrows(IOException.class, () -> in.write(ByteBuffer.allocate(1)));
    assertSays(failure, "rank 0");
    assertThrows(IOException.class, () -> out.write(ByteBuffer.allocate(1)));
    assertThrows(IOException.class, () -> out.read(ByteBuffer.allocate(1)));
    assertThrows(IOException.class, () -> link(mesh, 0, 1));
  }

  @Test
  void aCloseEndsThePeersWait() throws Exception {
    List<Transport> mesh = MemoryMesh.create(2);
    Link in = link(mesh, 1, 0);
    FutureTask<Integer> waiting =
        start(
            () -> {
              while (in.read(ByteBuffer.allocate(1)) == 0) {
                mesh.get(1).await(in, null, TimeUnit.MINUTES.toNanos(2));
              }
              return in.read(ByteBuffer.allocate(1));
            });
    Thread.sleep(50);
    mesh.get(0).close();
    assertEquals(-1, waiting.get(30, TimeUnit.SECONDS));
  }

  @Test
  void aWakeupEndsTheNextWaitToo() throws Exception {
    List<Transport> mesh = MemoryMesh.create(2);
    Transport transport = mesh.get(0);
    transport.wakeup();
    long start = System.nanoTime();
    transport.await(link(mesh, 0, 1), null, TimeUnit.SECONDS.toNanos(30));
    assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(20));
    mesh.forEach(Transport::close);
    transport.wakeup();
  }

  @Test
  void anInterruptEndsAWaitAndStaysSet() throws Exception {
    List<Transport> mesh = MemoryMesh.create(2);
    Link in = link(mesh, 0, 1);
    FutureTask<Boolean> waiting =
        new FutureTask<>(
            () -> {
              assertThrows(
                  InterruptedIOException.class,
                  () -> mesh.get(0).await(in, null, TimeUnit.MINUTES.toNanos(1)));
              return Thread.currentThread().isInterrupted();
            });
    Thread thread = new Thread(waiting);
    thread.start();
    Thread.sleep(50);
    thread.interrupt();
    assertTrue(waiting.get(30, TimeUnit.SECONDS));
    mesh.forEach(Transport::close);
  }

  @Test
  void theSameLinkIsGivenAgainAndNoneToItself() throws Exception {
    List<Transport> mesh = MemoryMesh.create(2);
    assertSame(link(mesh, 0, 1), link(mesh, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> link(mesh, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> link(mesh, 0, 2));
    assertThrows(IllegalArgumentException.class, () -> MemoryMesh.create(0));
    mesh.forEach(Transport::close);
  }

  @Test
  void steadyTrafficAllocatesNothing() throws Exception {
    List<Transport> mesh = MemoryMesh.create(2, 4096);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Traffic.inParallel(
        mesh,
        transport -> {
          Link link = transport.link(1 - transport.rank(), soon, Cancellation.NONE);
          ByteBuffer head = ByteBuffer.allocate(16);
          ByteBuffer body = ByteBuffer.allocateDirect(10_000);
          ByteBuffer incoming = ByteBuffer.allocateDirect(10_016);
          long before = 0;
          for (int round = 0; round < 6000; round++) {
            if (round == 2000) {
              before = threads.getCurrentThreadAllocatedBytes();
            }
            Traffic.drive(
                transport, link, head.clear(), body.clear(), link, incoming.clear(), soon);
          }
          long allocated = threads.getCurrentThreadAllocatedBytes() - before;
          assertTrue(allocated < 40_000, allocated + " bytes in 4000 rounds");
        });
    mesh.forEach(Transport::release);
  }

  @Test
  void communicatorsOneAfterTheOtherUseTheSameRings() throws Exception {
    BufferPoolMXBean direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .findFirst()
            .orElseThrow();
    exchangeAByte();
    long before = direct.getTotalCapacity();
    for (int i = 0; i < 20; i++) {
      exchangeAByte();
    }
    assertTrue(direct.getTotalCapacity() - before < 2L * EndpointOptions.DEFAULT_RING_BYTES);
  }

  private void exchangeAByte() throws IOException {
    List<Transport> mesh = MemoryMesh.create(2);
    for (int rank = 0; rank < 2; rank++) {
      assertEquals(1, link(mesh, rank, 1 - rank).write(ByteBuffer.allocate(1)));
    }
    for (int rank = 0; rank < 2; rank++) {
      assertEquals(1, link(mesh, rank, 1 - rank).read(ByteBuffer.allocate(1)));
    }
    mesh.forEach(Transport::release);
  }

  private Link link(List<Transport> mesh, int rank, int peer) throws IOException {
    return mesh.get(rank).link(peer, soon, Cancellation.NONE);
  }
}
