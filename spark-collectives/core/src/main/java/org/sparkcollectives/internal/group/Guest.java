package org.sparkcollectives.internal.group;

import java.io.EOFException;
import java.io.IOException;
import java.io.Serial;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection that rank 0 has accepted: a stranger until it proves that it knows the secret. */
final class Guest {
  private static final long HANDSHAKE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final SocketChannel channel;
  private final Address from;
  private ByteBuffer in = ByteBuffer.allocate(MeetingFrames.HELLO_BYTES);
  private ByteBuffer[] out = {};
  private @Nullable Greeting greeting;
  private MeetingFrames.@Nullable Join join;
  private long startNanos = System.nanoTime();
  private long waitNanos = HANDSHAKE_NANOS;

  Guest(SocketChannel channel) throws IOException {
    this.channel = channel;
    this.from = Address.of((InetSocketAddress) channel.getRemoteAddress());
  }

  /** Its address, for people. */
  String from() {
    return from.toString();
  }

  /** The part of its address that is the same when it comes again. */
  String host() {
    return from.host();
  }

  /** What it has said and proved, or null while it is a stranger. */
  MeetingFrames.@Nullable Join join() {
    return join;
  }

  /** Whether it has said hello and been challenged. */
  boolean isGreeted() {
    return greeting != null;
  }

  /** Whether it has waited as long as it may, or wants to. */
  boolean isLate() {
    return System.nanoTime() - startNanos >= waitNanos;
  }

  /**
   * Reads what has come.
   *
   * @param key the group's key
   * @return true if it has proved just now that it knows the secret
   * @throws MeetingFrames.BadFrame if it sends something else
   * @throws IOException if it has gone
   */
  boolean read(MeetingKey key) throws IOException {
    while (true) {
      if (channel.read(in) < 0) {
        throw new EOFException("it ended the connection");
      }
      if (join != null && in.position() > 0) {
        throw new MeetingFrames.BadFrame("it sent more than is due", null);
      }
      if (in.position() >= MeetingFrames.HEADER_BYTES) {
        checkHeader();
      }
      if (in.hasRemaining()) {
        return false;
      }
      if (greeting == null) {
        greet(key);
      } else if (in.limit() == MeetingFrames.PREFIX_BYTES) {
        int length = MeetingFrames.length(in, MeetingFrames.MOST_JOIN_BYTES);
        in = ByteBuffer.allocate(length).put(in.flip());
      } else {
        accept(greeting);
        return true;
      }
    }
  }

  private void checkHeader() throws MeetingFrames.BadFrame {
    try {
      MeetingFrames.type(in, greeting == null ? MeetingFrames.HELLO : MeetingFrames.JOIN);
    } catch (MeetingFrames.OtherVersion e) {
      try {
        channel.write(MeetingFrames.ownVersion()); // else it would dial until its deadline
      } catch (IOException gone) {
        e.addSuppressed(gone);
      }
      throw e;
    }
  }

  private void greet(MeetingKey key) throws IOException {
    Greeting mine = new Greeting(key, in.flip(), MeetingFrames.challenge());
    greeting = mine;
    in = ByteBuffer.allocate(MeetingFrames.PREFIX_BYTES);
    send(mine.challenge());
  }

  private void accept(Greeting mine) throws IOException {
    ByteBuffer frame = in.flip();
    if (!mine.provesOther(frame)) {
      throw new WrongSecret();
    }
    MeetingFrames.Join said = MeetingFrames.readJoin(Greeting.withoutCode(frame));
    join = said;
    startNanos = System.nanoTime();
    waitNanos = TimeUnit.MILLISECONDS.toNanos(said.millis());
    in = ByteBuffer.allocate(1);
  }

  /**
   * Begins to send an answer, which {@link #flush()} ends.
   *
   * @param frame its parts, without the code
   */
  void answer(ByteBuffer... frame) {
    Greeting mine = Objects.requireNonNull(greeting);
    ByteBuffer[] parts = new ByteBuffer[frame.length + 1];
    for (int i = 0; i < frame.length; i++) {
      parts[i] = frame[i].duplicate().rewind();
    }
    parts[frame.length] = mine.answerCode(frame);
    out = parts;
  }

  /** Whether its answer has begun: another one behind it, or behind a part of it, is none. */
  boolean isAnswered() {
    return out.length > 0;
  }

  /**
   * Sends what it can of an answer.
   *
   * @return true if nothing is left
   * @throws IOException if the guest has gone
   */
  boolean flush() throws IOException {
    channel.write(out);
    return out.length == 0 || !out[out.length - 1].hasRemaining();
  }

  private void send(ByteBuffer frame) throws IOException {
    channel.write(frame);
    if (frame.hasRemaining()) {
      throw new IOException("it does not read what it is sent"); // a new connection has room
    }
  }

  void close() {
    try {
      channel.close();
    } catch (IOException gone) {
      // It is closed as far as this process is concerned.
    }
  }

  /** A join whose code is wrong. */
  static final class WrongSecret extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    WrongSecret() {
      super("it did not know the secret");
    }
  }
}
