package org.sparkcollectives.benchmarks.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A connection through the proxies, two sockets with a thread for each direction. */
final class Wire {
  private static final int BUFFER_BYTES = 1 << 14;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final Proxies proxies;
  private final Socket near;
  private final Socket far;
  private final int from;
  private final int to;
  private final AtomicInteger directions = new AtomicInteger(2);
  private volatile boolean broken;
  private volatile boolean lost;
  private volatile int halfClosedBy = -1;

  /**
   * A connection that does not work yet.
   *
   * @param near the dialer's
   * @param far the acceptor's
   * @param from the dialer
   * @param to the acceptor
   */
  Wire(Proxies proxies, Socket near, Socket far, int from, int to) {
    this.proxies = proxies;
    this.near = near;
    this.far = far;
    this.from = from;
    this.to = to;
  }

  /** Begins to pass bytes on. */
  void start() throws IOException {
    near.setTcpNoDelay(true);
    far.setTcpNoDelay(true);
    Proxies.daemon(() -> pump(near, far, from, to), "bytes from " + from + " to " + to);
    Proxies.daemon(() -> pump(far, near, to, from), "bytes from " + to + " to " + from);
  }

  /** Ends both sides by a reset. */
  void reset() {
    end(true);
  }

  private void end(boolean abruptly) {
    broken = true;
    end(near, abruptly);
    end(far, abruptly);
    proxies.ended(this);
  }

  /** Ends what a rank sends, and what it has not sent yet is lost. */
  void halfClose(int sender) throws IOException {
    halfClosedBy = sender;
    (sender == from ? far : near).shutdownOutput();
  }

  /** Whether bytes are lost, so that it cannot be used any more. */
  boolean hasLost() {
    return lost;
  }

  private static void end(Socket socket, boolean abruptly) {
    try (socket) {
      if (abruptly && !socket.isClosed()) {
        socket.setSoLinger(true, 0);
      }
    } catch (IOException closed) {
      // that was to be done
    }
  }

  private void pump(Socket source, Socket sink, int sender, int receiver) {
    try {
      InputStream in = source.getInputStream();
      OutputStream out = sink.getOutputStream();
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        Proxies.Passage passage = proxies.count(sender, receiver, read);
        pass(out, buffer, 0, passage.before(), sender, receiver);
        Proxies.Trap sprung = passage.sprung();
        if (sprung != null) {
          sprung.action().hit(this, sender, receiver);
          pass(out, buffer, passage.before(), read - passage.before(), sender, receiver);
        }
      }
      if (halfClosedBy != sender) {
        sink.shutdownOutput();
      }
    } catch (IOException e) {
      reset(); // an end by a reset is passed on as one
    }
    if (directions.decrementAndGet() == 0) {
      end(false);
    }
  }

  private void pass(OutputStream out, byte[] bytes, int at, int count, int sender, int receiver)
      throws IOException {
    Proxies.Way way = proxies.way(sender, receiver);
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(way.delayMillis()));
    while (way.isStalled() && !broken) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    if (way.isLost()) {
      lost = true;
    } else if (halfClosedBy != sender && count > 0) {
      out.write(bytes, at, count);
    }
  }
}
