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
  /** How many connections at most are asked for one that is wanted; the next time others are. */
  private static final int MOST_ASKED = 16;

  private final long idleNanos;
  private final int maxIdlePerPeer;
  private final Map<String, Unused> unused = new HashMap<>();
  private boolean closed;

  /** The connections to one endpoint whose last lease is over here. */
  private static final class Unused {
    /** Those whose lease is over there too, the last to be so at the end. */
    final Deque<Idle> idle = new ArrayDeque<>();

    /** The others, in the order in which they are asked. */
    final Deque<Connection> away = new ArrayDeque<>();

    /** Asks one that is away. */
    void ask() {
      Connection next = away.removeFirst();
      switch (state(next)) {
        case USABLE -> idle.addLast(new Idle(next, System.nanoTime()));
        case NOT_RETURNED -> away.addLast(next);
        case DEAD -> next.close();
      }
    }

    boolean isEmpty() {
      return idle.isEmpty() && away.isEmpty();
    }

    void close() {
      idle.forEach(one -> one.connection().close());
      away.forEach(Connection::close);
    }
  }

  /** A connection that may be leased, and since when that is known. */
  private record Idle(Connection connection, long sinceNanos) {}

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
    if (closed || connection.lease() == null) {
      connection.close();
      return;
    }
    unused.computeIfAbsent(endpoint, e -> new Unused()).away.addLast(connection);
  }

  /**
   * Takes a connection that may be leased at once.
   *
   * @param endpoint the endpoint that it is to lead to
   * @return the connection, or null if none is known
   */
  public synchronized @Nullable Connection take(String endpoint) {
    Unused kept = unused.get(endpoint);
    if (kept == null) {
      return null;
    }
    int asked = Math.min(MOST_ASKED, kept.away.size());
    for (int i = 0; i < asked && kept.idle.isEmpty(); i++) {
      kept.ask();
    }
    Idle newest = kept.idle.pollLast();
    if (kept.isEmpty()) {
      unused.remove(endpoint);
    }
    return newest == null ? null : newest.connection();
  }

  private static State state(Connection connection) {
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
        // What the rank here has left unread the other one may wait about: that breaks its link.
        return count < 0 || connection.hasUnread() ? State.DEAD : State.NOT_RETURNED;
      }
    } catch (IOException | RuntimeException | Error dead) { // others are not to end with it
      return State.DEAD;
    }
    Lease last = connection.lease();
    boolean valid =
        last != null
            && FrameReader.fault(frame, WireFormat.RETURNED) == null
            && WireFormat.isReturned(frame, last)
            && connection.isEmpty(); // else a rank left before it had read all
    return valid ? State.USABLE : State.DEAD;
  }

  /** Closes what has ended, what has been idle for too long, and the oldest of too many idle. */
  public synchronized void expire() {
    for (Iterator<Unused> all = unused.values().iterator(); all.hasNext(); ) {
      Unused kept = all.next();
      for (int left = kept.away.size(); left > 0; left--) {
        kept.ask();
      }
      int newer = 0;
      for (Iterator<Idle> newest = kept.idle.descendingIterator(); newest.hasNext(); ) {
        Idle candidate = newest.next();
        if (isTooMuch(candidate, ++newer)) {
          newest.remove();
          candidate.connection().close();
        }
      }
      if (kept.isEmpty()) {
        all.remove();
      }
    }
  }

  private boolean isTooMuch(Idle candidate, int idle) {
    return idle > candidate.connection().maxIdle(maxIdlePerPeer)
        || System.nanoTime() - candidate.sinceNanos() > idleNanos;
  }

  /**
   * The number of connections kept.
   *
   * @return 0 or more
   */
  public synchronized int size() {
    return unused.values().stream().mapToInt(kept -> kept.idle.size() + kept.away.size()).sum();
  }

  /** Closes everything, also what is put from now on. */
  public synchronized void close() {
    closed = true;
    clear();
  }

  /** Closes everything that is kept. */
  public synchronized void clear() {
    List<Unused> all = new ArrayList<>(unused.values());
    unused.clear();
    all.forEach(Unused::close);
  }
}
