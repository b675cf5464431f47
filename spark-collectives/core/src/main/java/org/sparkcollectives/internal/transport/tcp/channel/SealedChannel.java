package org.sparkcollectives.internal.transport.tcp.channel;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/** What sealed channels share: their buffers on both sides of the seal, over a plain channel. */
abstract class SealedChannel implements Channel {
  static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  final Channel plain;

  /** Sealed bytes that the socket has not taken. */
  ByteBuffer outgoing;

  /** Sealed bytes from the socket. */
  ByteBuffer incoming;

  /** What was opened and nobody has asked for. */
  ByteBuffer opened;

  /** Whether nothing more comes from the peer. */
  boolean ended;

  /**
   * Makes the buffers, empty.
   *
   * @param plain the channel
   * @param sealedBytes the size of those on the socket's side
   * @param openedBytes the size of the other
   */
  SealedChannel(Channel plain, int sealedBytes, int openedBytes) {
    this.plain = plain;
    this.outgoing = ByteBuffer.allocateDirect(sealedBytes).limit(0);
    this.incoming = ByteBuffer.allocateDirect(sealedBytes).limit(0);
    this.opened = ByteBuffer.allocate(openedBytes).limit(0);
  }

  /** The size that the buffer of incoming bytes is to have before more come. */
  abstract int room();

  /** Throws if the stream must not end here. */
  abstract void checkEnd() throws EOFException;

  @Override
  public final int write(ByteBuffer source) throws IOException {
    return (int) write(source, NOTHING);
  }

  @Override
  public final boolean flush() throws IOException {
    while (outgoing.hasRemaining()) {
      if (plain.write(outgoing) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Hands on what is open, as far as it fits; the number of bytes. */
  final int handOn(ByteBuffer target) {
    int count = Math.min(target.remaining(), opened.remaining());
    int limit = opened.limit();
    target.put(opened.limit(opened.position() + count));
    opened.limit(limit);
    return count;
  }

  /** Takes from the socket what it has and fits; false if it has nothing. */
  final boolean fill() throws IOException {
    if (ended) {
      return false;
    }
    int room = room();
    if (room > incoming.capacity()) {
      incoming = ByteBuffer.allocateDirect(room).put(incoming);
    } else if (incoming.position() == 0) { // a record that is not there whole stays where it is
      int size = incoming.limit();
      incoming.clear().position(size);
    } else {
      incoming.compact();
    }
    int count;
    try {
      count = plain.read(incoming);
    } finally {
      incoming.flip();
    }
    if (count < 0) {
      ended = true;
      checkEnd();
    }
    return count > 0;
  }

  @Override
  public int operations(boolean forInput, boolean forRoom) {
    return plain.operations(forInput, forRoom);
  }

  @Override
  public final SelectionKey register(Selector selector, int operations, Object attachment)
      throws ClosedChannelException {
    return plain.register(selector, operations, attachment);
  }

  @Override
  public final boolean isOpen() {
    return plain.isOpen();
  }

  @Override
  public final void close() throws IOException {
    plain.close();
  }
}
