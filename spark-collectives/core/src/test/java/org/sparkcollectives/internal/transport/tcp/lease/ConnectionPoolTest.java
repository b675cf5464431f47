package org.sparkcollectives.internal.transport.tcp.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.internal.transport.EndpointStatistics;
import org.sparkcollectives.internal.transport.TransportCounters;
import org.sparkcollectives.internal.transport.tcp.channel.Channel;
import org.sparkcollectives.internal.transport.tcp.handshake.Lease;
import org.sparkcollectives.internal.transport.tcp.handshake.WireFormat;

/** A pool of connections, most of which the ranks at their other ends have not given back yet. */
final class ConnectionPoolTest {
  private static final int MANY = 400;
  private static final int MOST_READS_OF_A_TAKE = 16;
  private static final String ENDPOINT = "endpoint";

  private final ConnectionPool pool = new ConnectionPool(Duration.ofMinutes(1), MANY);
  private final TransportCounters counters = new TransportCounters();
  private final List<Connection> kept = new ArrayList<>();

  /** Over whose channel the end of its lease has come. */
  private @Nullable Connection returned;

  private int reads;
  private int closes;

  private void put(int count) {
    for (int i = 0; i < count; i++) {
      int number = kept.size();
      Lease lease = new Lease(number, 0, 0, 1);
      Channel channel =
          (Channel)
              Proxy.newProxyInstance(
                  Channel.class.getClassLoader(),
                  new Class<?>[] {Channel.class},
                  (proxy, method, arguments) ->
                      switch (method.getName()) {
                        case "read" -> read(kept.get(number), lease, (ByteBuffer) arguments[0]);
                        case "close" -> close();
                        default -> null;
                      });
      Connection connection = new Connection(channel, "elsewhere", counters);
      connection.lease(lease, 1);
      kept.add(connection);
      pool.put(ENDPOINT, connection);
    }
  }

  private int read(Connection connection, Lease lease, ByteBuffer target) {
    reads++;
    if (connection != returned) {
      return 0;
    }
    target.put(WireFormat.returned(lease));
    return WireFormat.RETURNED_BYTES;
  }

  private Object close() {
    closes++;
    throw new InternalError("none can be closed, says the test");
  }

  @Test
  void whoWantsOneDoesNotAskAll() {
    put(MANY);
    for (int i = 0; i < MANY; i++) {
      assertNull(pool.take(ENDPOINT));
    }
    assertTrue(reads <= MOST_READS_OF_A_TAKE * MANY, reads + " reads");
    assertEquals(MANY, pool.size());
  }

  @Test
  void whateverComesBackIsFoundInTurn() {
    put(MANY);
    for (int number : new int[] {0, MANY - 1, 17, MANY / 2}) {
      returned = kept.get(number);
      Connection found = pool.take(ENDPOINT);
      for (int i = 0; i < MANY / MOST_READS_OF_A_TAKE && found == null; i++) {
        found = pool.take(ENDPOINT);
      }
      assertSame(returned, found);
    }
    assertEquals(MANY - 4, pool.size());
  }

  @Test
  void whatHasComeBackIsFoundWithoutARead() {
    put(1);
    returned = kept.get(0);
    pool.expire();
    put(MANY);
    reads = 0;
    assertSame(returned, pool.take(ENDPOINT));
    assertEquals(0, reads);
  }

  @Test
  void oneThatCannotBeClosedLeavesNoOtherOpen() {
    put(3);
    pool.close();
    assertEquals(3, closes);
    assertEquals(3, counters.with(EndpointStatistics.Held.NOTHING).closeFailures());
  }

  @Test
  void allAreAskedNowAndThen() {
    put(MANY);
    returned = kept.get(MANY / 2);
    pool.expire();
    assertEquals(MANY, reads);
    assertSame(returned, pool.take(ENDPOINT));
    pool.close();
    assertEquals(0, pool.size());
  }
}
