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
 * leased again, and is idle, once its acceptor has said that the last lease is over there too.
 * Until then bytes may be under way, which a rank reads when it comes to them: it is passed over,
 * and kept. Each has its counterpart among the leases of the acceptor, which bound their number.
 * Thread-safe; no method waits.
 */
public final class ConnectionPool {
  private final long idleNanos;
  private final int maxIdlePerPeer;
  private final Map<String, Deque<Unused>> unused = new HashMap<>();
  private boolean closed;

  /** A connection whose last lease is over here. */
  private static final class Unused {
    final Connection connection;
    final Lease last;

    /** Whether the lease is over there too. */
    boolean returned;

    /** Since when that is known. */
    long returnedNanos;

    Unused(Connection connection, Lease last) {
      this.connection = connection;
      this.last = last;
    }
  }

  private enum State {
    USABLE,
    NOT_RETURNED,
    DEAD
  }

  /**
   * Makes an empty pool.
   *
   * @param idleTimeout how long a connection is kept from when it is idle
   * @param maxIdlePerPeer how many idle ones are kept per endpoint that they lead to, times the
   *     connections of two ranks
   */
  public ConnectionPool(Duration idleTimeout, int maxIdlePerPeer) {
    this.idleNanos = idleTimeout.toNanos();
    this.maxIdlePerPeer = maxIdlePerPeer;
  }

  /**
   * Keeps a connection whose lease has ended here.
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
    unused.computeIfAbsent(endpoint, e -> new ArrayDeque<>()).addLast(new Unused(connection, last));
  }

  /**
   * Takes a connection that may be leased at once, the one used last.
   *
   * @param endpoint the endpoint that it is to lead to
   * @return the connection, or null if there is none
   */
  public synchronized @Nullable Connection take(String endpoint) {
    Deque<Unused> kept = unused.get(endpoint);
    if (kept == null) {
      return null;
    }
    Connection found = null;
    for (Iterator<Unused> newest = kept.descendingIterator(); found == null && newest.hasNext(); ) {
      Unused candidate = newest.next();
      State state = state(candidate);
      if (state != State.NOT_RETURNED) {
        newest.remove();
        if (state == State.USABLE) {
          found = candidate.connection;
        } else {
          candidate.connection.close();
        }
      }
    }
    if (kept.isEmpty()) {
      unused.remove(endpoint);
    }
    return found;
  }

  private static State state(Unused candidate) {
    if (candidate.returned) {
      return State.USABLE;
    }
    Connection connection = candidate.connection;
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
            && WireFormat.isReturned(frame, candidate.last)
            && connection.isEmpty(); // else a rank left before it had read all
    candidate.returned = valid;
    candidate.returnedNanos = System.nanoTime();
    return valid ? State.USABLE : State.DEAD;
  }

  /** Closes what has ended, what has been idle for too long, and the oldest of too many idle. */
  public synchronized void expire() {
    for (Iterator<Deque<Unused>> all = unused.values().iterator(); all.hasNext(); ) {
      Deque<Unused> kept = all.next();
      int idle = 0;
      for (Iterator<Unused> newest = kept.descendingIterator(); newest.hasNext(); ) {
        Unused candidate = newest.next();
        State state = state(candidate);
        idle += state == State.USABLE ? 1 : 0;
        if (state == State.DEAD || (state == State.USABLE && isTooMuch(candidate, idle))) {
          newest.remove();
          candidate.connection.close();
        }
      }
      if (kept.isEmpty()) {
        all.remove();
      }
    }
  }

  private boolean isTooMuch(Unused candidate, int idle) {
    return idle > candidate.connection.maxIdle(maxIdlePerPeer)
        || System.nanoTime() - candidate.returnedNanos > idleNanos;
  }

  /**
   * The number of connections kept.
   *
   * @return 0 or more
   */
  public synchronized int size() {
    return unused.values().stream().mapToInt(Deque::size).sum();
  }

  /** Closes everything, also what is put from now on. */
  public synchronized void close() {
    closed = true;
    clear();
  }

  /** Closes everything that is kept. */
  public synchronized void clear() {
    List<Deque<Unused>> all = new ArrayList<>(unused.values());
    unused.clear();
    all.forEach(kept -> kept.forEach(one -> one.connection.close()));
  }
}
