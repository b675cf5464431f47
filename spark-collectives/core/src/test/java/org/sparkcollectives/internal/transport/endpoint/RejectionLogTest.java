package org.sparkcollectives.internal.transport.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkcollectives.internal.transport.Rejection;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.tcp.handshake.AnswerCode;
import org.sparkcollectives.internal.transport.tcp.handshake.Lease;
import org.sparkcollectives.internal.transport.tcp.handshake.WireFormat;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Traffic;
import org.sparkcollectives.transport.Transport;

/** Of which connections that were cut off the log warns. */
@Timeout(60)
final class RejectionLogTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  /** What is logged while it is open. */
  private static class Lines extends Handler {
    private final Logger logger =
        Logger.getLogger("org.sparkcollectives.internal.transport.tcp.Rejections");
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    Lines() {
      logger.addHandler(this);
    }

    @Override
    public void publish(LogRecord line) {
      lines.add(line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      logger.removeHandler(this);
    }
  }

  @Test
  void ranksThatComeLateOrBreakOffAreCountedAndOnlyStrangersAreWarnedOf() throws Exception {
    Lines log = new Lines();
    try (Cluster cluster = new Cluster(2, Cluster.options().build())) {
      Endpoint endpoint = cluster.endpoint(1);
      Roster second = cluster.numbered(500, 2, 0, 1);
      Transport known = endpoint.join(second, 1);
      Caller late = new Caller(endpoint.peer(1, "node", ""));
      late.authenticate(cluster.token());
      late.send(WireFormat.lease(new Lease(500, 1, 0, 1), 1));
      assertEquals(AnswerCode.STALE_EPOCH, late.answer());
      Caller breaksOff = new Caller(endpoint.peer(1, "node", ""));
      breaksOff.authenticate(cluster.token());
      breaksOff.send(new byte[3]);
      breaksOff.end();
      Cluster.await(endpoint, s -> s.rejected().get(Rejection.TRUNCATED) == 1);
      assertEquals(1, endpoint.statistics().rejected().get(Rejection.LEASE));
      List<Transport> ranks = cluster.communicator(0, 1);
      Link left = ranks.get(0).link(1, Deadline.after(SOON), Cancellation.NONE);
      Transport leaving = ranks.get(1);
      assertEquals(0, leaving.link(0, Deadline.after(SOON), Cancellation.NONE).read(bytes()));
      leaving.release();
      assertEquals(bytes().capacity(), left.write(bytes()));
      Cluster.await(endpoint, s -> s.rejected().get(Rejection.NOT_OURS) == 1);

      Caller stranger = new Caller(endpoint.peer(1, "node", ""));
      stranger.send("GET / HT".getBytes(StandardCharsets.US_ASCII));
      assertTrue(stranger.isCutOff());
      String line = String.valueOf(log.lines.poll(30, TimeUnit.SECONDS));
      assertTrue(line.startsWith("1 connections to the port"), line);
      assertTrue(line.contains("NOT_OURS=2"), line); // so it is not of those before
      for (Caller caller : List.of(late, stranger)) {
        caller.end();
      }
      known.close();
    } finally {
      log.close();
    }
  }

  private static ByteBuffer bytes() {
    return ByteBuffer.allocate(64);
  }

  private static List<Error> failures() {
    return List.of(
        new Error(new FileNotFoundException("no zones, says the test")),
        new NoClassDefFoundError("Could not initialize the zones, says the test"));
  }

  /** As one does that loads files for the time of day, in a process without descriptors. */
  @ParameterizedTest
  @MethodSource("failures")
  void aLoggerThatFailsEndsNoAcceptor(Error failure) throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    Lines log =
        new Lines() {
          @Override
          public void publish(LogRecord line) {
            failed.countDown();
            throw failure;
          }
        };
    try (Cluster cluster = new Cluster(2, Cluster.options().build())) {
      Endpoint endpoint = cluster.endpoint(1);
      String identity = endpoint.peer(1, "node", "").endpoint();
      List<Transport> ranks = cluster.communicator(0, 1);
      Caller stranger = new Caller(endpoint.peer(1, "node", ""));
      stranger.send("GET / HT".getBytes(StandardCharsets.US_ASCII));
      assertTrue(stranger.isCutOff());
      assertTrue(failed.await(30, TimeUnit.SECONDS));
      Traffic.run(ranks, 1, 10, 1000);
      assertEquals(identity, endpoint.peer(1, "node", "").endpoint());
      ranks.forEach(Transport::release);
      stranger.end();
    } finally {
      log.close();
    }
  }
}
