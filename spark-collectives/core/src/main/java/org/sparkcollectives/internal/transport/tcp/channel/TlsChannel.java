package org.sparkcollectives.internal.transport.tcp.channel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.security.MessageDigest;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * A channel of TLS by the JDK's engine. Reads and writes carry its handshake on as far as the
 * socket lets them; before it is over, and the peer has shown the certificate that it is to have,
 * no byte is taken or delivered.
 */
final class TlsChannel implements Channel {
  private static final int HEADER_BYTES = 5;
  private static final int LENGTH_OFFSET = 3;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Channel plain;
  private final SSLEngine engine;
  private final byte[] expected;
  private final ByteBuffer[] pair = new ByteBuffer[2];
  private final ByteBuffer[] nothing = {NOTHING};

  /** What the engine has made and the socket has not taken. */
  private ByteBuffer outgoing;

  /** What the socket has brought and the engine has not used. */
  private ByteBuffer incoming;

  /** What the engine has opened and nobody has asked for. */
  private ByteBuffer opened;

  private boolean begun;
  private boolean known;
  private boolean ended;

  /**
   * Puts TLS upon a channel.
   *
   * @param plain the channel
   * @param engine an engine that has not begun
   * @param expected the digest of the certificate that the peer has to show
   */
  TlsChannel(Channel plain, SSLEngine engine, byte[] expected) {
    this.plain = plain;
    this.engine = engine;
    this.expected = expected;
    int packet = engine.getSession().getPacketBufferSize();
    this.outgoing = ByteBuffer.allocateDirect(packet).limit(0);
    this.incoming = ByteBuffer.allocateDirect(packet).limit(0);
    this.opened = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()).limit(0);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return (int) write(source, NOTHING);
  }

  @Override
  public long write(ByteBuffer first, ByteBuffer second) throws IOException {
    long taken = 0;
    pair[0] = first;
    pair[1] = second;
    while (carryOn() && flush() && (first.hasRemaining() || second.hasRemaining())) {
      int count = wrap(pair);
      if (count == 0 && !outgoing.hasRemaining()) {
        break; // the peer has to say something first
      }
      taken += count;
    }
    return taken;
  }

  private int wrap(ByteBuffer[] sources) throws SSLException {
    while (true) {
      SSLEngineResult result = engine.wrap(sources, outgoing.clear());
      outgoing.flip();
      switch (result.getStatus()) {
        case OK -> {
          return result.bytesConsumed();
        }
        case BUFFER_OVERFLOW ->
            outgoing = ByteBuffer.allocateDirect(2 * outgoing.capacity()).limit(0);
        default -> throw new SSLException("the connection has been closed");
      }
    }
  }

  @Override
  public boolean flush() throws IOException {
    while (outgoing.hasRemaining()) {
      if (plain.write(outgoing) == 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    int total = 0;
    while (target.hasRemaining()) {
      if (opened.hasRemaining()) {
        int count = Math.min(target.remaining(), opened.remaining());
        int limit = opened.limit();
        target.put(opened.limit(opened.position() + count));
        opened.limit(limit);
        total += count;
      } else if (!carryOn() || !unwrap()) {
        return total == 0 && ended ? -1 : total;
      }
    }
    return total;
  }

  /** Goes on with the handshake, and with what follows it; false while it waits for the peer. */
  private boolean carryOn() throws IOException {
    if (!begun) {
      begun = true;
      engine.beginHandshake();
    }
    while (true) {
      HandshakeStatus status = engine.getHandshakeStatus();
      if (status == HandshakeStatus.NEED_TASK) {
        for (Runnable task = engine.getDelegatedTask();
            task != null;
            task = engine.getDelegatedTask()) {
          task.run();
        }
      } else if (status == HandshakeStatus.NEED_WRAP) {
        if (!flush()) {
          return false;
        }
        wrap(nothing);
      } else if (status == HandshakeStatus.NEED_UNWRAP && !known) {
        if (!flush() || (!unwrap() && engine.getHandshakeStatus() == status)) {
          return false;
        }
      } else {
        checkPeer();
        return true;
      }
    }
  }

  /** The handshake is over: the peer is who has proved to hold the token, or nobody. */
  private void checkPeer() throws IOException {
    if (known) {
      return;
    }
    byte[] shown = TlsSealing.digest(engine.getSession().getPeerCertificates()[0]);
    if (!MessageDigest.isEqual(shown, expected)) {
      throw new SSLException("the other side shows another certificate than it has said it would");
    }
    known = true;
  }

  /** Opens a record; false if there is none. */
  private boolean unwrap() throws IOException {
    while (true) {
      SSLEngineResult result = engine.unwrap(incoming, opened.clear());
      opened.flip();
      switch (result.getStatus()) {
        case OK -> {
          return result.bytesConsumed() > 0 || result.bytesProduced() > 0;
        }
        case BUFFER_OVERFLOW -> opened = ByteBuffer.allocate(2 * opened.capacity()).limit(0);
        case BUFFER_UNDERFLOW -> {
          if (!fill()) {
            return false;
          }
        }
        default -> {
          ended = true;
          return false;
        }
      }
    }
  }

  /** Takes from the socket what it has and fits; false if it has nothing. */
  private boolean fill() throws IOException {
    if (ended) {
      return false;
    }
    if (incoming.remaining() == incoming.capacity()) {
      incoming = ByteBuffer.allocateDirect(2 * incoming.capacity()).put(incoming);
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
      if (incoming.hasRemaining() || !known) {
        throw new SSLException("the stream ends inside of a handshake or a record of TLS");
      }
    }
    return count > 0;
  }

  /** Whether all of a record is there. */
  private boolean hasRecord() {
    int from = incoming.position();
    return incoming.remaining() >= HEADER_BYTES
        && incoming.remaining()
            >= HEADER_BYTES + Short.toUnsignedInt(incoming.getShort(from + LENGTH_OFFSET));
  }

  @Override
  public boolean hasInput() {
    return opened.hasRemaining() || hasRecord();
  }

  @Override
  public int operations(boolean forInput, boolean forRoom) {
    boolean answers = begun && !known && !outgoing.hasRemaining(); // the peer's turn
    return plain.operations(forInput || (forRoom && answers), forRoom && !answers);
  }

  @Override
  public SelectionKey register(Selector selector, int operations, Object attachment)
      throws ClosedChannelException {
    return plain.register(selector, operations, attachment);
  }

  @Override
  public boolean isOpen() {
    return plain.isOpen();
  }

  @Override
  public void close() throws IOException {
    plain.close();
  }
}
