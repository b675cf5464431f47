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
   * Dials the addresses of a host in turn until one answers; each has its share of the time.
   *
   * @param host its addresses
   * @param port its port
   * @param deadline until when
   * @return the connection
   * @throws IOException why the first of them did not answer
   */
  static DialedConnection open(InetAddress[] host, int port, Deadline deadline) throws IOException {
    IOException failure = null;
    for (int i = 0; i < host.length; i++) {
      long share = Math.max(1, deadline.remainingNanos() / (host.length - i));
      try {
        return open(new InetSocketAddress(host[i], port), Deadline.after(Duration.ofNanos(share)));
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    throw failure == null ? new UnknownHostException() : failure;
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
