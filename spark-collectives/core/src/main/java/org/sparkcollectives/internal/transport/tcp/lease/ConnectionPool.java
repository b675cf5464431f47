package org.sparkcollectives.internal.transport.tcp.lease;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.tcp.handshake.FrameReader;
import org.sparkcollectives.internal.transport.tcp.handshake.Lease;
import org.sparkcollectives.internal.transport.tcp.handshake.WireFormat;

/**
 * The dialed connections that no lease uses, by the endpoint that they lead to. A connection may be
 * leased again once its acceptor has said that the last lease is over there too; until then it is
 * passed over. Thread-safe; no method waits.
 */
public final class ConnectionPool {
  private final long idleNanos;
  private final int maxIdlePerPeer;
  private final Map<String, Deque<Idle>> idle = new HashMap<>();
  private boolean closed;

  /** An unused connection. */
  private record Idle(Connection connection, Lease last, long sinceNanos) {}

  private enum State {
    USABLE,
    NOT_RETURNED,
    DEAD
  }

  /**
   * Makes an empty pool.
   *
   * @param idleTimeout how long an unused connection is kept
   * @param maxIdlePerPeer how many are kept per endpoint that they lead to, times the connections
   *     of two ranks
   */
  public ConnectionPool(Duration idleTimeout, int maxIdlePerPeer) {
    this.idleNanos = idleTimeout.toNanos();
    this.maxIdlePerPeer = maxIdlePerPeer;
  }

  /**
   * Keeps a connection whose lease has ended here; closes the oldest where there are too many.
   *
   * @param endpoint the endpoint that it leads to
   * @param connection the connection, registered with no selector
   */
  public synchronized void put(String endpoint, Connection connection) {
    Lease last = connection.lease();
    if (closed || last == null) {
      connection.close();
      return;
    }
    Deque<Idle> kept = idle.computeIfAbsent(endpoint, e -> new ArrayDeque<>());
    kept.addLast(new Idle(connection, last, System.nanoTime()));
    int most = connection.maxIdle(maxIdlePerPeer);
    while (kept.size() > most) {
      kept.removeFirst().connection().close();
    }
  }

  /**
   * Takes a connection that may be leased at once, the one used last.
   *
   * @param endpoint the endpoint that it is to lead to
   * @return the connection, or null if there is none
   */
  public synchronized @Nullable Connection take(String endpoint) {
    Deque<Idle> kept = idle.get(endpoint);
    if (kept == null) {
      return null;
    }
    Connection found = null;
    for (Iterator<Idle> newest = kept.descendingIterator(); found == null && newest.hasNext(); ) {
      Idle candidate = newest.next();
      State state = state(candidate);
      if (state != State.NOT_RETURNED) {
        newest.remove();
        if (state == State.USABLE) {
          found = candidate.connection();
        } else {
          candidate.connection().close();
        }
      }
    }
    if (kept.isEmpty()) {
      idle.remove(endpoint);
    }
    return found;
  }

  private static State state(Idle candidate) {
    Connection connection = candidate.connection();
    ByteBuffer frame = connection.returned();
    try {
      int count = connection.channel().read(frame);
      for (int bells = 0;
          bells < FrameReader.MOST_BELL_READS
              && connection.hasDoorbells()
              && FrameReader.dropDoorbells(frame);
          bells++) {
        count = connection.channel().read(frame);
      }
      if (frame.hasRemaining()) {
        return count < 0 ? State.DEAD : State.NOT_RETURNED;
      }
    } catch (IOException dead) {
      return State.DEAD;
    }
    boolean valid =
        FrameReader.fault(frame, WireFormat.RETURNED) == null
            && WireFormat.isReturned(frame, candidate.last())
            && connection.isEmpty(); // else a rank left before it had read all
    return valid ? State.USABLE : State.DEAD;
  }

  /** Closes what has been idle for too long. */
  public synchronized void expire() {
    long now = System.nanoTime();
    for (Iterator<Deque<Idle>> all = idle.values().iterator(); all.hasNext(); ) {
      Deque<Idle> kept = all.next();
      while (!kept.isEmpty() && now - kept.getFirst().sinceNanos() > idleNanos) {
        kept.removeFirst().connection().close();
      }
      if (kept.isEmpty()) {
        all.remove();
      }
    }
  }

  /**
   * The number of connections kept.
   *
   * @return 0 or more
   */
  public synchronized int size() {
    return idle.values().stream().mapToInt(Deque::size).sum();
  }

  /** Closes everything, also what is put from now on. */
  public synchronized void close() {
    closed = true;
    clear();
  }

  /** Closes everything that is kept. */
  public synchronized void clear() {
    List<Deque<Idle>> all = new ArrayList<>(idle.values());
    idle.clear();
    all.forEach(kept -> kept.forEach(unused -> unused.connection().close()));
  }
}
