package org.sparkcollectives.internal.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.memory.SharedRings;

/**
 * The dialed connections that no lease uses, by the endpoint that they lead to. A connection may be
 * leased again once its acceptor has said that the last lease is over there too; until then it is
 * passed over. Thread-safe; no method waits.
 */
final class ConnectionPool {
  /** Connections with memory are kept in smaller number: each has two rings. */
  private static final int MAX_IDLE_SHARED = 16;

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

  ConnectionPool(EndpointOptions options) {
    idleNanos = options.idleTimeout().toNanos();
    maxIdlePerPeer = options.maxIdlePerPeer();
  }

  /**
   * Keeps a connection whose lease has ended here; closes the oldest where there are too many.
   *
   * @param endpoint the endpoint that it leads to
   * @param connection the connection, registered with no selector
   */
  synchronized void put(String endpoint, Connection connection) {
    Lease last = connection.lease();
    if (closed || last == null) {
      connection.close();
      return;
    }
    Deque<Idle> kept = idle.computeIfAbsent(endpoint, e -> new ArrayDeque<>());
    kept.addLast(new Idle(connection, last, System.nanoTime()));
    boolean shares = connection.rings() != null;
    while (kept.size() > (shares ? Math.min(MAX_IDLE_SHARED, maxIdlePerPeer) : maxIdlePerPeer)) {
      kept.removeFirst().connection().close();
    }
  }

  /**
   * Takes a connection that may be leased at once, the one used last.
   *
   * @param endpoint the endpoint that it is to lead to
   * @return the connection, or null if there is none
   */
  synchronized @Nullable Connection take(String endpoint) {
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
    SharedRings rings = connection.rings();
    try {
      int count = connection.channel().read(frame);
      while (rings != null && Frames.dropDoorbells(frame)) {
        count = connection.channel().read(frame);
      }
      if (frame.hasRemaining()) {
        return count < 0 ? State.DEAD : State.NOT_RETURNED;
      }
    } catch (IOException dead) {
      return State.DEAD;
    }
    boolean valid =
        Frames.fault(frame, WireFormat.RETURNED) == null
            && WireFormat.isReturned(frame, candidate.last())
            && (rings == null || rings.areEmpty()); // else a rank left before it had read all
    return valid ? State.USABLE : State.DEAD;
  }

  /** Closes what has been idle for too long. */
  synchronized void expire() {
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
  synchronized int size() {
    return idle.values().stream().mapToInt(Deque::size).sum();
  }

  /** Closes everything, also what is put from now on. */
  synchronized void close() {
    closed = true;
    clear();
  }

  /** Closes everything that is kept. */
  synchronized void clear() {
    List<Deque<Idle>> all = new ArrayList<>(idle.values());
    idle.clear();
    all.forEach(kept -> kept.forEach(unused -> unused.connection().close()));
  }
}
