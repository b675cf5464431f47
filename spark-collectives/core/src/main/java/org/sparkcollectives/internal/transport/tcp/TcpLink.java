package org.sparkcollectives.internal.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import org.sparkcollectives.error.LinkErrors;

/** A leased connection that carries the bytes itself. */
final class TcpLink extends SocketLink {
  /**
   * The most bytes of a heap buffer in one call: the JDK copies them through a native buffer that
   * it keeps for the thread.
   */
  private static final int HEAP_BYTES = 1 << 18;

  private final ByteBuffer[] pair = new ByteBuffer[2];

  TcpLink(int peer, String peerName, Connection connection, SelectionKey key) {
    super(peer, peerName, connection, key);
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

  @Override
  int roomInterest() {
    return SelectionKey.OP_WRITE;
  }

  @Override
  boolean beforeWait(boolean forBytes, boolean forRoom) {
    return true;
  }

  @Override
  void afterWait(boolean slept) {}

  private static void clip(ByteBuffer buffer, int bytes) {
    if (!buffer.isDirect() && buffer.remaining() > bytes) {
      buffer.limit(buffer.position() + bytes);
    }
  }
}
