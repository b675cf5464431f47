package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.internal.transport.BufferPool;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.RankTransport;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.endpoint.Endpoint;
import org.sparkcollectives.vector.ReduceOp;

/** What becomes of a communicator's direct buffers when it ends. */
@Timeout(60)
class BufferReuseTest {
  private static final int SIZE = 2;

  /** What an engine asks for. */
  private static final int BYTES = 128 * 1024 + 32;

  private final ExecutorService threads = Executors.newFixedThreadPool(SIZE);
  private final List<Endpoint> endpoints = new ArrayList<>();
  private long communicators;

  @AfterEach
  void stop() {
    endpoints.forEach(Endpoint::close);
    threads.shutdownNow();
  }

  private void start(int processes) {
    EndpointOptions options =
        EndpointOptions.builder().hosts("127.0.0.1", "").sharedMemory("").build();
    for (int i = 0; i < processes; i++) {
      endpoints.add(new Endpoint(options));
    }
  }

  private Endpoint home(int rank) {
    return endpoints.get(rank % endpoints.size());
  }

  /** Runs both ranks of a communicator to its end; the pool of rank 0. */
  private BufferPool run(Consumer<Communicator> body) throws Exception {
    communicators++;
    List<Peer> peers = new ArrayList<>();
    for (int rank = 0; rank < SIZE; rank++) {
      peers.add(home(rank).peer(rank, "node", "process " + rank));
    }
    Roster roster = new Roster(communicators, 0, new byte[32], peers);
    List<RankTransport> transports = new ArrayList<>();
    for (int rank = 0; rank < SIZE; rank++) {
      transports.add(join(roster, rank));
    }
    List<Future<?>> ranks = new ArrayList<>();
    for (RankTransport transport : transports) {
      ranks.add(
          threads.submit(
              () -> {
                try (Communicator communicator =
                    new Communicator(transport, CommunicatorOptions.DEFAULT)) {
                  body.accept(communicator);
                }
              }));
    }
    ExecutionException failure = null;
    for (Future<?> rank : ranks) {
      try {
        rank.get(30, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return transports.get(0).buffers();
  }

  private RankTransport join(Roster roster, int rank) throws IOException {
    return home(rank).join(roster, rank);
  }

  private static void sum(Communicator communicator) {
    double[] vector = {1, 2};
    communicator.allReduce(vector, ReduceOp.SUM);
    assertEquals(4, vector[1]);
  }

  /** All that the pool holds, left in it. */
  private static Set<ByteBuffer> held(BufferPool pool) {
    Set<ByteBuffer> held = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < 2 * SIZE; i++) {
      held.add(pool.take(BYTES));
    }
    held.forEach(pool::put);
    return held;
  }

  @Test
  void theNextCommunicatorGetsThoseOfOneThatEndedWell() throws Exception {
    start(SIZE);
    BufferPool pool = run(BufferReuseTest::sum);
    Set<ByteBuffer> held = held(pool);
    for (int i = 0; i < 3; i++) {
      run(BufferReuseTest::sum);
      assertEquals(held, held(pool));
    }
  }

  @Test
  void thoseOfABrokenOneAreNotUsedAgain() throws Exception {
    start(SIZE);
    BufferPool pool = run(BufferReuseTest::sum);
    final Set<ByteBuffer> before = held(pool);
    ReduceOp<Object> fails =
        ReduceOp.ofDouble(
            "fails",
            true,
            (left, right) -> {
              throw new IllegalStateException("no");
            });
    assertThrows(
        ExecutionException.class,
        () -> run(communicator -> communicator.allReduce(new double[] {1, 2}, fails)));
    Set<ByteBuffer> kept = held(pool);
    kept.retainAll(before);
    assertEquals(before.size() - 2, kept.size());
  }

  @Test
  void ranksOfOneProcessTakeNone() throws Exception {
    start(1);
    assertEquals(0, run(BufferReuseTest::sum).size());
  }
}
