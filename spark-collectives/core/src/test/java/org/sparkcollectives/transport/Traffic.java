package org.sparkcollectives.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Random full-duplex traffic between ranks. In each round every rank sends a message to one rank
 * and receives one from another, or from the same; all choices and all bytes follow from the seed,
 * so that every receiver knows what must come.
 */
public final class Traffic {
  /** How long a whole run may take. */
  public static final Duration LIMIT = Duration.ofSeconds(60);

  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int[] SIZES = {0, 1, 7, 8, 64, 1000, 4096, 65_537, 300_001};

  private final Transport transport;
  private final long seed;
  private final int maxBytes;
  private final Deadline deadline;

  private Traffic(Transport transport, long seed, int maxBytes) {
    this.transport = transport;
    this.seed = seed;
    this.maxBytes = maxBytes;
    this.deadline = Deadline.after(LIMIT);
  }

  /** What a rank does with its transport. */
  @FunctionalInterface
  public interface Work {
    /**
     * Works, on the rank's own thread.
     *
     * @param transport the rank's transport
     * @throws Exception if it fails
     */
    void run(Transport transport) throws Exception;
  }

  /**
   * Runs random traffic between all ranks.
   *
   * @param transports the transport of each rank
   * @param seed where the choices come from
   * @param rounds how many messages each rank sends
   * @param maxBytes no message is larger
   * @throws Exception the first failure of a rank
   */
  public static void run(List<Transport> transports, long seed, int rounds, int maxBytes)
      throws Exception {
    inParallel(transports, transport -> new Traffic(transport, seed, maxBytes).rounds(rounds));
  }

  /**
   * Runs work on all ranks, each on a thread of its own; closes all transports when one fails.
   *
   * @param transports the transport of each rank
   * @param work what each rank does
   * @throws Exception the first failure of a rank
   */
  public static void inParallel(List<Transport> transports, Work work) throws Exception {
    ExecutorService ranks = Executors.newFixedThreadPool(transports.size());
    List<Exception> failures = new ArrayList<>();
    List<Future<?>> results = new ArrayList<>();
    for (Transport transport : transports) {
      results.add(
          ranks.submit(
              () -> {
                try {
                  work.run(transport);
                } catch (Exception | AssertionError e) {
                  synchronized (failures) {
                    failures.add(new Exception("rank " + transport.rank() + " failed", e));
                  }
                  transports.forEach(Transport::close);
                }
              }));
    }
    try {
      for (Future<?> result : results) {
        result.get(LIMIT.toSeconds() + 10, TimeUnit.SECONDS);
      }
    } catch (ExecutionException | TimeoutException stuck) {
      failures.add(stuck);
    } finally {
      transports.forEach(transport -> wakeIfFailed(transport, failures));
      ranks.shutdownNow();
    }
    if (!failures.isEmpty()) {
      throw failures.get(0);
    }
  }

  private static void wakeIfFailed(Transport transport, List<Exception> failures) {
    if (!failures.isEmpty()) {
      transport.close();
    }
  }

  private void rounds(int rounds) throws IOException {
    int size = transport.size();
    SplittableRandom choices = new SplittableRandom(seed);
    SplittableRandom buffers = new SplittableRandom(seed + transport.rank());
    for (int round = 0; round < rounds; round++) {
      int[] to = permutation(size, choices.split());
      int[] bytes = new int[size];
      for (int rank = 0; rank < size; rank++) {
        bytes[rank] = Math.min(maxBytes, SIZES[choices.nextInt(SIZES.length)]);
      }
      int me = transport.rank();
      int from = 0;
      while (to[from] != me) {
        from++;
      }
      if (to[me] != me) {
        exchange(round, to[me], bytes[me], from, bytes[from], buffers);
      }
    }
  }

  private void exchange(
      int round, int to, int sendBytes, int from, int receiveBytes, SplittableRandom buffers)
      throws IOException {
    boolean sendFirst = transport.rank() < to;
    Link out = sendFirst ? link(to) : null;
    Link in = link(from);
    out = out == null ? link(to) : out;
    ByteBuffer outgoing = message(round, transport.rank(), sendBytes, buffers.nextBoolean());
    ByteBuffer expected = message(round, from, receiveBytes, false);
    ByteBuffer incoming = buffer(receiveBytes, buffers.nextBoolean());
    ByteBuffer head = outgoing.duplicate();
    head.limit(buffers.nextInt(sendBytes + 1));
    outgoing.position(head.limit());
    drive(transport, out, head, outgoing, in, incoming, deadline);
    assertEquals(expected, incoming.flip(), "round " + round + " from " + from);
  }

  private Link link(int peer) throws IOException {
    return transport.link(peer, deadline, Cancellation.NONE);
  }

  /**
   * Sends two buffers and fills a third at the same time.
   *
   * @param transport the rank's transport
   * @param out where to send
   * @param head what to send first
   * @param body what to send after it
   * @param in where to receive
   * @param incoming what to fill
   * @param deadline until when
   * @throws IOException if a link fails, the stream ends, or time is up
   */
  public static void drive(
      Transport transport,
      Link out,
      ByteBuffer head,
      ByteBuffer body,
      Link in,
      ByteBuffer incoming,
      Deadline deadline)
      throws IOException {
    while (true) {
      boolean sending = head.hasRemaining() || body.hasRemaining() || !out.flush();
      boolean receiving = incoming.hasRemaining();
      if (!sending && !receiving) {
        return;
      }
      long moved = sending ? out.write(head, body) : 0;
      if (receiving) {
        int count = in.read(incoming);
        if (count < 0) {
          throw new IOException(transport.describe(in.peer()) + " closed");
        }
        moved += count;
      }
      if (moved == 0) {
        long left = deadline.remainingNanos();
        if (left <= 0) {
          throw new IOException("late");
        }
        transport.await(receiving ? in : null, sending ? out : null, Math.min(left, WAIT_NANOS));
      }
    }
  }

  private ByteBuffer message(int round, int from, int bytes, boolean direct) {
    SplittableRandom content = new SplittableRandom(seed ^ (round * 1_000_003L + from * 7919L));
    byte[] data = new byte[bytes];
    content.nextBytes(data);
    return buffer(bytes, direct).put(data).flip();
  }

  private static ByteBuffer buffer(int bytes, boolean direct) {
    return direct ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
  }

  private static int[] permutation(int size, SplittableRandom random) {
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }
}
