package org.sparkcollectives.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.vector.JavaCodec;
import org.sparkcollectives.internal.vector.ObjectVector;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Transport;

/** The length of objects that a header claims, which no schedule tells, is not believed. */
@Timeout(60)
final class ObjectLengthTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Algorithm BROADCAST = Algorithms.of(Collective.BROADCAST).get(0);
  private static final Problem PROBLEM = new Problem(Collective.BROADCAST, 2, 1, 1, false);

  private static Operation operation(Transport transport, Object... elements) {
    return new Operation(
        Program.compile(BROADCAST.schedule(PROBLEM, transport.rank())),
        new ObjectVector(elements, new JavaCodec()),
        null,
        1,
        transport,
        Deadline.after(LIMIT),
        Cancellation.NONE);
  }

  private static String failure(long claimed, int following) throws Exception {
    List<String> said =
        Ranks.run(
            2,
            transport -> {
              if (transport.rank() == 0) {
                Operation operation = operation(transport, new Object[1]);
                return assertThrows(RankFailedException.class, () -> Engines.plain().run(operation))
                    .getMessage();
              }
              ByteBuffer message =
                  ByteBuffer.allocate(MessageHeader.BYTES + following)
                      .order(ByteOrder.LITTLE_ENDIAN);
              MessageHeader.write(message, operation(transport, "x"), 0, claimed);
              send(transport, message.position(0));
              transport.close();
              return "";
            });
    return String.valueOf(said.get(0));
  }

  private static void send(Transport transport, ByteBuffer message) throws IOException {
    Link link = transport.link(0, Deadline.after(LIMIT), Cancellation.NONE);
    while (message.hasRemaining() || !link.flush()) {
      if (link.write(message) == 0) {
        transport.await(null, link, 1_000_000);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 3, Integer.MAX_VALUE - 7L, (1L << 32) + 10, Long.MAX_VALUE})
  void whatCannotBeIsRefusedAtOnce(long claimed) throws Exception {
    String said = failure(claimed, 0);
    assertTrue(said.contains("claims " + claimed + " bytes"), said);
  }

  @Test
  void whatIsOnlyClaimedTakesNoMemory() throws Exception {
    long before = allocated();
    String said = failure(Integer.MAX_VALUE - 8L, 100_000);
    assertTrue(said.contains("has left the communicator"), said);
    assertTrue(allocated() - before < 1L << 26, "memory for what never came");
  }

  private static long allocated() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Test
  void largeObjectsArriveWhole() throws Exception {
    int[] sizes = {1, 65_000, 65_536, 70_000, 1_000_000};
    for (int size : sizes) {
      byte[] sent = new byte[size];
      sent[size - 1] = 42;
      List<Object> got =
          Ranks.run(
              2,
              transport -> {
                Object[] elements = {transport.rank() == 1 ? sent : ""};
                Engines.plain().run(operation(transport, elements));
                return elements[0];
              });
      byte[] arrived = (byte[]) got.get(0);
      assertEquals(size, arrived.length);
      assertEquals(42, arrived[size - 1]);
    }
  }
}
