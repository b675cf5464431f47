package org.sparkcollectives.internal.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.error.DeadlineException;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;

/** A name server that does not answer is waited for until the deadline and no longer. */
@Timeout(60)
final class LookupTest {
  private final Waiting rank = new Waiting();

  /** A rank that waits for nothing but to be woken. */
  private static final class Waiting implements LinkProvider.Rank {
    private final Semaphore woken = new Semaphore(0);

    @Override
    public Roster roster() {
      Peer self = new Peer(0, "endpoint", "host", 1, "node", "");
      return new Roster(1, 0, new byte[32], List.of(self));
    }

    @Override
    public int rank() {
      return 0;
    }

    @Override
    public Selector selector() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void signal() {
      woken.release();
    }

    @Override
    public void wakeup() {
      woken.release();
    }

    @Override
    public void await(long nanos) throws IOException {
      try {
        boolean unused = woken.tryAcquire(nanos, TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  private static WaitBudget budget(Duration time) {
    return new WaitBudget(Deadline.after(time), Cancellation.NONE, "rank 0", "looking up");
  }

  private final CountDownLatch never = new CountDownLatch(1);
  private final Lookup silent =
      new Lookup(
          host -> {
            try {
              never.await();
            } catch (InterruptedException e) {
              throw new UnknownHostException("interrupted");
            }
            return new InetAddress[0];
          });

  @AfterEach
  void letThreadsGo() {
    never.countDown();
  }

  @Test
  void endsAtTheDeadlineAndNotBefore() {
    Duration time = Duration.ofMillis(300);
    long start = System.nanoTime();
    assertThrows(DeadlineException.class, () -> silent.addresses("host", rank, budget(time)));
    assertTrue(System.nanoTime() - start >= time.toNanos());
  }

  @Test
  void whoWaitsForNothingElseWaitsUntilTheDeadlineToo() {
    Deadline deadline = Deadline.after(Duration.ofMillis(300));
    IOException late =
        assertThrows(SocketTimeoutException.class, () -> silent.addresses("host", deadline));
    assertEquals("host was not looked up in time", late.getMessage());
    assertTrue(deadline.expired());
  }

  @Test
  void anInterruptedThreadWaitsNoLonger() {
    Thread.currentThread().interrupt();
    Deadline deadline = Deadline.after(Duration.ofSeconds(30));
    assertThrows(AbortedException.class, () -> silent.addresses("host", deadline));
    assertTrue(Thread.interrupted());
    assertFalse(deadline.expired());
  }

  @Test
  void bringsWhatIsFoundAndWhatIsNot() throws IOException {
    InetAddress[] found = {InetAddress.getLoopbackAddress()};
    Lookup lookup =
        new Lookup(
            host -> {
              if (host.equals("host")) {
                return found;
              }
              throw new UnknownHostException(host);
            });
    WaitBudget budget = budget(Duration.ofSeconds(30));
    assertArrayEquals(found, lookup.addresses("host", rank, budget));
    UnknownHostException unknown =
        assertThrows(UnknownHostException.class, () -> lookup.addresses("another", rank, budget));
    assertEquals("another", unknown.getMessage());
  }

  @Test
  void whoListensTakesTheFirstAddressOfThisMachine() throws IOException {
    InetAddress nowhere = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1});
    InetAddress here = InetAddress.getLoopbackAddress();
    assertEquals(here, Lookup.own(nowhere, here));
    assertEquals(nowhere, Lookup.own(nowhere));
    assertEquals(nowhere, Lookup.own(nowhere, nowhere));
    for (NetworkInterface card : NetworkInterface.networkInterfaces().toList()) {
      for (InterfaceAddress one : card.getInterfaceAddresses()) {
        assertEquals(one.getAddress(), Lookup.own(nowhere, one.getAddress(), here));
      }
    }
  }

  @Test
  void addressesAreNotLookedUpElsewhere() throws IOException {
    Thread caller = Thread.currentThread();
    Lookup lookup =
        new Lookup(
            host -> {
              assertEquals(caller, Thread.currentThread());
              return InetAddress.getAllByName(host);
            });
    WaitBudget budget = budget(Duration.ofSeconds(30));
    assertEquals(1, lookup.addresses("127.0.0.1", rank, budget).length);
    assertEquals(1, lookup.addresses("::1", rank, budget).length);
  }
}
