package org.sparkcollectives.internal.group;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.internal.error.CauseChain;
import org.sparkcollectives.internal.transport.tcp.channel.PlainChannel;
import org.sparkcollectives.transport.Deadline;

/**
 * A connection to rank 0 whose every step ends at a deadline, and when the thread is interrupted.
 */
final class DialedConnection implements AutoCloseable {
  private final PlainChannel channel;
  private final Selector selector;
  private final SelectionKey key;

  private DialedConnection(PlainChannel channel, Selector selector) throws IOException {
    this.channel = channel;
    this.selector = selector;
    this.key = channel.register(selector, 0, channel);
  }

  /**
   * Makes sure of who was reached.
   *
   * @param <T> what is known then
   */
  interface Check<T> {
    /**
     * Talks to who was reached.
     *
     * @param connection the connection, which stays open if that is rank 0
     * @param until until when
     * @return what is known of rank 0
     * @throws IOException if it is somebody else, or nobody answers
     */
    T of(DialedConnection connection, Deadline until) throws IOException;
  }

  /**
   * Dials the addresses of a host in turn until rank 0 answers; each has its share of the time.
   *
   * @param host its addresses
   * @param port its port
   * @param deadline until when
   * @param check tells who answers
   * @param <T> what is known of rank 0
   * @return what the check has found out
   * @throws IOException if none is rank 0's: that one has another secret, or what a stranger said,
   *     or why the first one does not answer
   */
  static <T> T open(InetAddress[] host, int port, Deadline deadline, Check<T> check)
      throws IOException {
    IOException failure = null;
    for (int i = 0; i < host.length; i++) {
      long share = Math.max(1, deadline.remainingNanos() / (host.length - i));
      Deadline until = Deadline.after(Duration.ofNanos(share));
      try {
        return greeted(new InetSocketAddress(host[i], port), until, check);
      } catch (IOException e) {
        failure = failure == null ? e : told(failure, e);
      }
    }
    throw failure == null ? new UnknownHostException() : failure;
  }

  /** The failure of the two that says more; the first if both say as much. */
  private static IOException told(IOException first, IOException next) {
    boolean later = weight(next) > weight(first);
    IOException told = later ? next : first;
    told.addSuppressed(later ? first : next);
    return told;
  }

  /** How much a failure says: most of all another group, then a stranger who listens there. */
  private static int weight(IOException failure) {
    if (failure instanceof MeetingFrames.OtherSecret) {
      return 2;
    }
    return failure instanceof MeetingFrames.BadFrame ? 1 : 0;
  }

  private static <T> T greeted(InetSocketAddress address, Deadline until, Check<T> check)
      throws IOException {
    DialedConnection connection = open(address, until);
    try {
      return check.of(connection, until);
    } catch (IOException | RuntimeException | Error e) {
      try {
        connection.close();
      } catch (IOException also) {
        CauseChain.suppress(e, also);
      }
      throw e;
    }
  }

  private static DialedConnection open(InetSocketAddress address, Deadline deadline)
      throws IOException {
    PlainChannel channel = PlainChannel.open(0, 0);
    @Nullable Selector selector = null;
    try {
      selector = Selector.open();
      DialedConnection connection = new DialedConnection(channel, selector);
      connection.connect(address, deadline);
      return connection;
    } catch (IOException | RuntimeException e) {
      channel.close();
      if (selector != null) {
        selector.close();
      }
      throw e;
    }
  }

  private void connect(InetSocketAddress address, Deadline deadline) throws IOException {
    boolean connected = channel.connect(address);
    while (!connected) {
      await(SelectionKey.OP_CONNECT, deadline, "connecting");
      connected = channel.finishConnect();
    }
  }

  /** This process's address on the way to rank 0. */
  InetAddress ownAddress() throws IOException {
    return channel.ownAddress();
  }

  void write(ByteBuffer bytes, Deadline deadline) throws IOException {
    channel.write(bytes);
    while (bytes.hasRemaining()) {
      await(SelectionKey.OP_WRITE, deadline, "sending");
      channel.write(bytes);
    }
  }

  /**
   * Fills a buffer up.
   *
   * @param bytes the buffer
   * @param deadline until when
   * @return the buffer, at its beginning
   */
  ByteBuffer read(ByteBuffer bytes, Deadline deadline) throws IOException {
    while (bytes.hasRemaining()) {
      int count = channel.read(bytes);
      if (count < 0) {
        throw new EOFException("it ended the connection");
      }
      if (count == 0) {
        await(SelectionKey.OP_READ, deadline, "waiting for an answer");
      }
    }
    return bytes.flip();
  }

  private void await(int what, Deadline deadline, String doing) throws IOException {
    if (deadline.expired()) {
      throw new SocketTimeoutException(
          doing + " took longer than " + deadline.timeout().toMillis() + " ms");
    }
    key.interestOps(what);
    selector.select(1 + Math.max(0, TimeUnit.NANOSECONDS.toMillis(deadline.remainingNanos())));
    selector.selectedKeys().clear();
    if (Thread.currentThread().isInterrupted()) {
      throw AbortedException.interrupted(new InterruptedException());
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    selector.close();
  }
}
