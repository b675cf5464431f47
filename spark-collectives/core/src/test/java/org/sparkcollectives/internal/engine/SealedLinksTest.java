package org.sparkcollectives.internal.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.endpoint.Endpoint;
import org.sparkcollectives.internal.transport.tcp.channel.RecordSealing;
import org.sparkcollectives.transport.Transport;

/** Every registered algorithm over connections that encrypt, with buffers of two elements. */
class SealedLinksTest {
  private static final int SIZE = 5;

  /** The next size of those that take powers of two only. */
  private static final int MOST = 8;

  private static final List<Endpoint> ENDPOINTS =
      Stream.generate(
              () ->
                  new Endpoint(
                      EndpointOptions.builder().hosts("127.0.0.1", "").sharedMemory("").build(),
                      new RecordSealing()))
          .limit(MOST)
          .toList();

  private long communicators;

  @AfterAll
  static void close() {
    ENDPOINTS.forEach(Endpoint::close);
  }

  @TestFactory
  Stream<DynamicTest> everyAlgorithm() {
    return Algorithms.all().stream()
        .map(
            a ->
                DynamicTest.dynamicTest(
                    a.collective().slug() + " " + a.slug(),
                    () -> EveryAlgorithmRunsTest.checkTiny(a, SIZE, this::communicator)));
  }

  private List<Transport> communicator(int size) {
    try {
      List<Peer> peers = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        peers.add(ENDPOINTS.get(rank).peer(rank, "node", ""));
      }
      Roster roster = new Roster(++communicators, 0, new byte[32], peers);
      List<Transport> ranks = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        ranks.add(ENDPOINTS.get(rank).join(roster, rank));
      }
      return ranks;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
