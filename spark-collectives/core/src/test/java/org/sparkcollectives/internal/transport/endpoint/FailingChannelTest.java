package org.sparkcollectives.internal.transport.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sparkcollectives.testing.Background.start;
import static org.sparkcollectives.transport.Failures.assertSays;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.internal.transport.Rejection;
import org.sparkcollectives.internal.transport.tcp.channel.Channel;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Traffic;
import org.sparkcollectives.transport.Transport;

/** Errors of the machine, such as a want of memory, while an endpoint's thread serves a caller. */
final class FailingChannelTest {
  private static final long LIMIT_SECONDS = 20;

  private static Deadline deadline() {
    return Deadline.after(Duration.ofSeconds(60));
  }

  /** Puts something else in the place of the channels of those who are called. */
  private static Sealing accepting(UnaryOperator<Channel> seal) {
    return new Sealing() {
      @Override
      public int code() {
        return 100;
      }

      @Override
      public Share share() {
        return new Share() {
          @Override
          public byte[] told() {
            return new byte[SHARE_BYTES];
          }

          @Override
          public Channel seal(Channel plain, boolean dialed, byte[] heard, Secrets secrets) {
            return dialed ? plain : seal.apply(plain);
          }
        };
      }
    };
  }

  @Test
  void aWantOfMemoryCostsTheCallerAlone() throws Exception {
    AtomicInteger seals = new AtomicInteger();
    Sealing sealing =
        accepting(
            plain -> {
              if (seals.getAndIncrement() == 0) {
                throw new OutOfMemoryError("Cannot reserve memory, says the test");
              }
              return plain;
            });
    try (Cluster cluster = new Cluster(2, Cluster.options().build(), sealing)) {
      List<Transport> first = cluster.communicator(0, 1);
      assertThrows(IOException.class, () -> first.get(0).link(1, deadline(), Cancellation.NONE));
      first.forEach(Transport::close);
      List<Transport> second = cluster.communicator(0, 1);
      Traffic.run(second, 1, 5, 1000);
      second.forEach(Transport::release);
      assertEquals(1, cluster.endpoint(1).statistics().rejected().get(Rejection.FAILURE));
      assertEquals(1, cluster.endpoint(1).statistics().rejections());
    }
  }

  @Test
  void aFailureThatCannotBeToldEndsNoThread() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    AtomicInteger seals = new AtomicInteger();
    Sealing sealing =
        accepting(
            plain -> {
              if (seals.getAndIncrement() == 0) {
                throw new Untellable(asked);
              }
              return plain;
            });
    try (Cluster cluster = new Cluster(2, Cluster.options().build(), sealing)) {
      String identity = cluster.endpoint(1).peer(1, "node", "").endpoint();
      List<Transport> first = cluster.communicator(0, 1);
      assertThrows(IOException.class, () -> first.get(0).link(1, deadline(), Cancellation.NONE));
      first.forEach(Transport::close);
      assertTrue(asked.await(LIMIT_SECONDS, TimeUnit.SECONDS), "the log is to tell of it");
      List<Transport> second = cluster.communicator(0, 1);
      Traffic.run(second, 1, 5, 1000);
      second.forEach(Transport::release);
      assertEquals(identity, cluster.endpoint(1).peer(1, "node", "").endpoint());
    }
  }

  /** A failure of which no message can be made. */
  private static final class Untellable extends Error {
    private static final long serialVersionUID = 1L;

    private final transient CountDownLatch asked;

    Untellable(CountDownLatch asked) {
      this.asked = asked;
    }

    @Override
    public String getMessage() {
      asked.countDown();
      throw new OutOfMemoryError("nothing can be said, says the test");
    }
  }

  /** What cannot be waited for is the end of the thread. */
  @Test
  void whoWaitsIsToldWhenTheThreadEnds() throws Exception {
    try (Cluster cluster =
        new Cluster(2, Cluster.options().build(), accepting(FailingChannelTest::closing))) {
      Transport waiting = cluster.endpoint(1).join(cluster.roster(0, 1), 1);
      FutureTask<Link> link = start(() -> waiting.link(0, deadline(), Cancellation.NONE));
      List<Transport> others = cluster.communicator(0, 1);
      List<Transport> returning = cluster.communicator(0, 1);
      Traffic.run(returning, 1, 5, 1000);
      returning.forEach(Transport::release);
      ExecutionException told =
          assertThrows(ExecutionException.class, () -> link.get(LIMIT_SECONDS, TimeUnit.SECONDS));
      assertTrue(told.getCause() instanceof IOException, told.toString());
      assertSays((IOException) told.getCause(), "waits in vain for a connection from rank 0");
      assertThrows(IOException.class, () -> others.get(0).link(1, deadline(), Cancellation.NONE));
      others.forEach(Transport::close);
      waiting.close();
      List<Transport> ranks = cluster.join(cluster.roster(1), 1);
      assertEquals(1, cluster.endpoint(1).statistics().threads(), "it begins anew");
      ranks.forEach(Transport::release);
    }
  }

  /** A channel that takes the endpoint's selector with it when it comes back from a rank. */
  private static Channel closing(Channel plain) {
    return (Channel)
        Proxy.newProxyInstance(
            Channel.class.getClassLoader(),
            new Class<?>[] {Channel.class},
            (proxy, method, arguments) -> {
              String thread = Thread.currentThread().getName();
              if (method.getName().equals("register") && thread.contains("-acceptor-")) {
                ((Selector) arguments[0]).close();
              }
              try {
                return method.invoke(plain, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }
}
