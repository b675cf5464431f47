package org.sparkcollectives.internal.transport.tcp.channel;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
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
final class TlsChannel extends SealedChannel {
  private static final int HEADER_BYTES = 5;
  private static final int LENGTH_OFFSET = 3;

  private final SSLEngine engine;
  private final byte[] expected;
  private final ByteBuffer[] pair = new ByteBuffer[2];
  private final ByteBuffer[] nothing = {NOTHING};

  private boolean begun;
  private boolean known;

  /**
   * Puts TLS upon a channel.
   *
   * @param plain the channel
   * @param engine an engine that has not begun
   * @param expected the digest of the certificate that the peer has to show
   */
  TlsChannel(Channel plain, SSLEngine engine, byte[] expected) {
    super(
        plain,
        engine.getSession().getPacketBufferSize(),
        engine.getSession().getApplicationBufferSize());
    this.engine = engine;
    this.expected = expected;
  }

  @Override
  public long write(ByteBuffer first, ByteBuffer second) throws IOException {
    try {
      return send(first, second);
    } catch (SSLException e) {
      throw broken(e);
    }
  }

  private long send(ByteBuffer first, ByteBuffer second) throws IOException {
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
      SSLEngineResult result = wrapOnce(sources);
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

  private SSLEngineResult wrapOnce(ByteBuffer[] sources) throws SSLException {
    outgoing.clear();
    try {
      return engine.wrap(sources, outgoing);
    } finally {
      outgoing.flip();
    }
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    try {
      return receive(target);
    } catch (SSLException e) {
      throw broken(e);
    }
  }

  private int receive(ByteBuffer target) throws IOException {
    int total = 0;
    while (target.hasRemaining()) {
      if (opened.hasRemaining()) {
        total += handOn(target);
      } else if (!mayUnwrap() || !unwrap()) {
        return total == 0 && ended ? -1 : total;
      }
    }
    return total;
  }

  /**
   * Tells the peer by TLS's alert, as far as the socket takes it, since it may know of no error.
   */
  private BrokenSeal broken(SSLException reason) {
    BrokenSeal broken = new BrokenSeal("TLS failed, " + reason.getMessage(), reason);
    try {
      if (flush()) {
        wrapOnce(nothing);
        flush();
      }
    } catch (IOException untold) {
      broken.addSuppressed(untold);
    }
    return broken;
  }

  /**
   * Whether the next record may be opened. After the handshake it always may: what the peer is to
   * be told of new keys waits for room in the socket, and the peer may make none until its own
   * records are taken.
   */
  private boolean mayUnwrap() throws IOException {
    if (!known) {
      return carryOn();
    }
    runTasks();
    while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && flush()) {
      wrap(nothing);
    }
    return true;
  }

  private void runTasks() {
    Runnable task = engine.getDelegatedTask();
    while (task != null) {
      task.run();
      task = engine.getDelegatedTask();
    }
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
        runTasks();
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

  @Override
  int room() {
    boolean full = incoming.remaining() == incoming.capacity();
    return full ? 2 * incoming.capacity() : incoming.capacity();
  }

  @Override
  void checkEnd() throws EOFException {
    if (incoming.hasRemaining() || !known) {
      throw new EOFException("the stream ends inside of a handshake or a record of TLS");
    }
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
}
