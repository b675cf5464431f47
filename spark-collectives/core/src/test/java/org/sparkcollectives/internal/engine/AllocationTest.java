package org.sparkcollectives.internal.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.internal.conformance.Sweep;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.endpoint.Endpoint;
import org.sparkcollectives.internal.transport.ring.MemoryMesh;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.testing.ForwardingTransport;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Transport;
import org.sparkcollectives.vector.ReduceOp;

/**
 * What a rank's thread allocates for an operation of a compiled program does not grow with the
 * number of blocks. Of several operations the one that allocates least counts: before it, the JVM
 * may not have compiled everything.
 *
 * <p>What the JDK's selector allocates while the thread blocks is counted apart. It depends on how
 * often the thread blocks, and boxes numbers of file descriptors above 127. JaCoCo keeps the JVM
 * from doing without some short-lived objects, so this runs without it.
 */
@Tag("plain-jvm")
@Timeout(240)
final class AllocationTest {
  private static final int SIZE = 4;

  /** No algorithm needs more ranks to take so many. */
  private static final int MOST_RANKS = 8;

  private static final int ELEMENTS = 16 * 1024;
  private static final int FEW_BLOCKS = 32;
  private static final int MANY_BLOCKS = 1024;
  private static final int BATCH = 10;
  private static final int BATCHES = 40;

  /** Far below the smallest object per block. */
  private static final long ALLOWED_BYTES = 1024;

  /** Four boxed numbers. */
  private static final long ALLOWED_BYTES_PER_WAIT = 64;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final List<Endpoint> ENDPOINTS = new ArrayList<>();
  private static long communicators;

  @BeforeAll
  static void start() {
    EndpointOptions options = EndpointOptions.builder().hosts("127.0.0.1", "").build();
    for (int rank = 0; rank < MOST_RANKS; rank++) {
      ENDPOINTS.add(new Endpoint(options));
    }
  }

  @AfterAll
  static void stop() {
    ENDPOINTS.forEach(Endpoint::close);
  }

  /** Algorithms whose messages become more as blocks do. */
  static Stream<Algorithm> pipelined() {
    return Algorithms.all().stream()
        .filter(a -> a.collective() != Collective.ALLTOALL)
        .filter(a -> rounds(a, MANY_BLOCKS) > 4 * rounds(a, FEW_BLOCKS));
  }

  private static Problem problem(Algorithm algorithm, int blocks) {
    return Sweep.example(algorithm, SIZE).withBlocks(blocks);
  }

  private static int size(Algorithm algorithm) {
    return problem(algorithm, FEW_BLOCKS).size();
  }

  private static int rounds(Algorithm algorithm, int blocks) {
    return Conformance.claims(algorithm, problem(algorithm, blocks)).rounds();
  }

  @ParameterizedTest
  @MethodSource("pipelined")
  void overSockets(Algorithm algorithm) throws Exception {
    communicators++;
    int size = size(algorithm);
    List<Peer> peers = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      peers.add(ENDPOINTS.get(rank).peer(rank, "node", "process " + rank));
    }
    Roster roster = new Roster(communicators, 0, new byte[32], peers);
    List<Transport> mesh = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      mesh.add(ENDPOINTS.get(rank).join(roster, rank));
    }
    check(algorithm, mesh);
  }

  @ParameterizedTest
  @MethodSource("pipelined")
  void throughMemory(Algorithm algorithm) throws Exception {
    check(algorithm, MemoryMesh.create(size(algorithm)));
  }

  private static void check(Algorithm algorithm, List<? extends Transport> mesh) throws Exception {
    List<Rank> ranks = new ArrayList<>();
    for (Transport transport : mesh) {
      ranks.add(new Rank(algorithm, transport));
    }
    CyclicBarrier batch = new CyclicBarrier(mesh.size());
    Ranks.run(
        mesh,
        transport -> {
          Rank rank = ranks.get(transport.rank());
          for (int i = 0; i < BATCHES && !ranks.stream().allMatch(Rank::isFlat); i++) {
            batch.await(60, TimeUnit.SECONDS);
            rank.run(BATCH);
            batch.await(60, TimeUnit.SECONDS);
          }
          return rank;
        });
    for (Rank rank : ranks) {
      assertTrue(rank.isFlat(), () -> algorithm + ", " + rank);
    }
  }

  /** A rank that notes the least that an operation with few and with many blocks allocates. */
  private static final class Rank {
    private final Counting transport;
    private final Engine engine = Engines.plain();
    private final Vector vector = Vector.of(new double[ELEMENTS]);
    private final @Nullable ReduceOp<?> op;
    private final Program[] programs;
    private final long[] least = {Long.MAX_VALUE, Long.MAX_VALUE};
    private long leastPerWait = Long.MAX_VALUE;
    private int operations;

    Rank(Algorithm algorithm, Transport transport) {
      this.transport = new Counting(transport);
      this.op = algorithm.collective().reducing() ? ReduceOp.SUM : null;
      this.programs =
          new Program[] {
            Program.compile(algorithm.executed(problem(algorithm, FEW_BLOCKS), transport.rank())),
            Program.compile(algorithm.executed(problem(algorithm, MANY_BLOCKS), transport.rank()))
          };
    }

    void run(int times) {
      for (int i = 0; i < programs.length * times; i++) {
        int which = i % programs.length;
        operations++;
        transport.reset();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        engine.run(
            new Operation(
                programs[which],
                vector,
                op,
                operations,
                transport,
                Deadline.after(Duration.ofSeconds(30)),
                Cancellation.NONE));
        long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
        least[which] = Math.min(least[which], bytes - transport.bytes);
        long perWait = transport.waits == 0 ? 0 : transport.bytes / transport.waits;
        leastPerWait = Math.min(leastPerWait, perWait);
      }
    }

    boolean isFlat() {
      return operations > 0
          && least[1] - least[0] <= ALLOWED_BYTES
          && leastPerWait <= ALLOWED_BYTES_PER_WAIT;
    }

    @Override
    public String toString() {
      return "rank %d: %d bytes with %d blocks, %d with %d, %d per wait, after %d operations"
          .formatted(
              transport.rank(),
              least[0],
              FEW_BLOCKS,
              least[1],
              MANY_BLOCKS,
              leastPerWait,
              operations);
    }
  }

  /** A transport that counts what is allocated in waits. */
  private static final class Counting extends ForwardingTransport {
    private long waits;
    private long bytes;

    Counting(Transport counted) {
      super(counted);
    }

    void reset() {
      waits = 0;
      bytes = 0;
    }

    @Override
    public void await(@Nullable Link readable, @Nullable Link writable, long nanos)
        throws IOException {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      super.await(readable, writable, nanos);
      bytes += THREADS.getCurrentThreadAllocatedBytes() - before;
      waits++;
    }
  }
}
