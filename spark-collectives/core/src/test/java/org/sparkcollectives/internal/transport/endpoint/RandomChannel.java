package org.sparkcollectives.internal.transport.endpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.SplittableRandom;
import org.sparkcollectives.internal.transport.tcp.channel.Channel;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;

/**
 * A channel that masks every byte with a secret of the connection, takes more from the socket than
 * it is asked for, keeps what it is given until it is flushed, and splits everything at random.
 */
final class RandomChannel implements Channel {
  private static final int CODE = 100;
  private static final int MOST_BYTES = 20_000;

  /** What is at most this long is taken as a whole where nothing is held: no frame is longer. */
  private static final int FRAME_BYTES = 72;

  private final Channel plain;
  private final SplittableRandom random;
  private final byte[] outgoingMask;
  private final byte[] incomingMask;
  private final ByteBuffer outgoing = ByteBuffer.allocateDirect(MOST_BYTES).limit(0);
  private final ByteBuffer incoming = ByteBuffer.allocateDirect(MOST_BYTES).limit(0);
  private long sent;
  private long received;
  private boolean ended;

  private RandomChannel(Channel plain, long seed, byte[] outgoingMask, byte[] incomingMask) {
    this.plain = plain;
    this.random = new SplittableRandom(seed);
    this.outgoingMask = outgoingMask;
    this.incomingMask = incomingMask;
  }

  /** Puts such channels upon plain ones. */
  static Sealing sealing(long seed) {
    SplittableRandom seeds = new SplittableRandom(seed);
    return new Sealing() {
      @Override
      public int code() {
        return CODE;
      }

      @Override
      public synchronized Share share() {
        return new Masks(seeds.nextLong());
      }
    };
  }

  /** Masks of both ends' making. */
  private record Masks(long seed) implements Sealing.Share {
    @Override
    public byte[] told() {
      byte[] told = new byte[Sealing.SHARE_BYTES];
      new SplittableRandom(seed).nextBytes(told);
      return told;
    }

    @Override
    public Channel seal(Channel plain, boolean dialed, byte[] heard, Sealing.Secrets secrets) {
      byte[] agreed = told();
      for (int i = 0; i < agreed.length; i++) {
        agreed[i] ^= heard[i];
      }
      byte[] dialers = secrets.of(agreed, "dialer");
      byte[] acceptors = secrets.of(agreed, "acceptor");
      return dialed
          ? new RandomChannel(plain, seed, dialers, acceptors)
          : new RandomChannel(plain, seed, acceptors, dialers);
    }
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    int total = 0;
    while (target.hasRemaining()) {
      if (!incoming.hasRemaining() && !fill()) {
        return total == 0 && ended ? -1 : total;
      }
      int count = Math.min(target.remaining(), incoming.remaining());
      for (int i = 0; i < count; i++) {
        target.put((byte) (incoming.get() ^ mask(incomingMask, received++)));
      }
      total += count;
    }
    return total;
  }

  private boolean fill() throws IOException {
    incoming.clear().limit(random.nextInt(1, MOST_BYTES + 1));
    int count = plain.read(incoming);
    incoming.flip();
    ended |= count < 0;
    return count > 0;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    if (!flush() || !source.hasRemaining()) {
      return 0;
    }
    if (source.remaining() > FRAME_BYTES && random.nextInt(5) == 0) {
      return 0;
    }
    int count = random.nextInt(1, Math.min(source.remaining(), MOST_BYTES) + 1);
    outgoing.clear();
    for (int i = 0; i < count; i++) {
      outgoing.put((byte) (source.get() ^ mask(outgoingMask, sent++)));
    }
    outgoing.flip();
    return count;
  }

  @Override
  public long write(ByteBuffer first, ByteBuffer second) throws IOException {
    int count = write(first);
    return first.hasRemaining() ? count : count + write(second);
  }

  @Override
  public boolean flush() throws IOException {
    while (outgoing.hasRemaining()) {
      int limit = outgoing.limit();
      outgoing.limit(outgoing.position() + random.nextInt(1, outgoing.remaining() + 1));
      int count = plain.write(outgoing);
      outgoing.limit(limit);
      if (count == 0) {
        return false;
      }
    }
    return true;
  }

  private static byte mask(byte[] mask, long position) {
    return (byte) (mask[(int) (position % mask.length)] + position / mask.length);
  }

  @Override
  public boolean hasInput() {
    return incoming.hasRemaining();
  }

  @Override
  public int operations(boolean forInput, boolean forRoom) {
    return plain.operations(forInput, forRoom);
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
