package org.sparkcollectives.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.sparkcollectives.error.LinkErrors;
import org.sparkcollectives.transport.Link;

/** A leased connection as a link. */
final class TcpLink implements Link {
  /**
   * The most bytes of a heap buffer in one call: the JDK copies them through a native buffer that
   * it keeps for the thread.
   */
  private static final int HEAP_BYTES = 1 << 18;

  private final int peer;
  private final String peerName;
  private final Connection connection;
  private final SocketChannel channel;
  private final SelectionKey key;
  private final ByteBuffer[] pair = new ByteBuffer[2];

  TcpLink(int peer, String peerName, Connection connection, SelectionKey key) {
    this.peer = peer;
    this.peerName = peerName;
    this.connection = connection;
    this.channel = connection.channel();
    this.key = key;
  }

  @Override
  public int peer() {
    return peer;
  }

  Connection connection() {
    return connection;
  }

  /** Sets what the transport's selector waits for on this link. */
  void interest(int operations) {
    key.interestOps(operations);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    int limit = source.limit();
    clip(source, HEAP_BYTES);
    try {
      return channel.write(source);
    } catch (IOException e) {
      throw LinkErrors.linkBroken(peerName, e);
    } finally {
      source.limit(limit);
    }
  }

  @Override
  public long write(ByteBuffer first, ByteBuffer second) throws IOException {
    if (!second.hasRemaining()) {
      return write(first);
    }
    if (!first.hasRemaining()) {
      return write(second);
    }
    if (!first.isDirect() && first.remaining() > HEAP_BYTES) {
      return write(first);
    }
    int limit = second.limit();
    clip(second, HEAP_BYTES);
    pair[0] = first;
    pair[1] = second;
    try {
      return channel.write(pair);
    } catch (IOException e) {
      throw LinkErrors.linkBroken(peerName, e);
    } finally {
      second.limit(limit);
    }
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    int limit = target.limit();
    clip(target, HEAP_BYTES);
    try {
      return channel.read(target);
    } catch (IOException e) {
      throw LinkErrors.linkBroken(peerName, e);
    } finally {
      target.limit(limit);
    }
  }

  private static void clip(ByteBuffer buffer, int bytes) {
    if (!buffer.isDirect() && buffer.remaining() > bytes) {
      buffer.limit(buffer.position() + bytes);
    }
  }
}
