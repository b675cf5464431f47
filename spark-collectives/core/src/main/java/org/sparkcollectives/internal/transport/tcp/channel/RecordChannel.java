package org.sparkcollectives.internal.transport.tcp.channel;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;

/**
 * A channel of sealed records. A record is the length of what it holds (int, big-endian, 1 to
 * {@link RecordCipher#MOST_BYTES}), the bytes, encrypted, and their tag. Any other byte than the
 * sealed one, a record twice, left out or out of turn, and an end inside of a record are errors.
 */
final class RecordChannel extends SealedChannel {
  private static final int HEADER_BYTES = Integer.BYTES;

  /** What a record has beside the bytes it holds. */
  private static final int EXTRA_BYTES = HEADER_BYTES + RecordCipher.TAG_BYTES;

  /** The size that buffers have until more is needed; most connections rest most of the time. */
  private static final int FEW_BYTES = 1 << 13;

  /** A record, and the beginning of the next. */
  private static final int FULL_BYTES = RecordCipher.MOST_BYTES + EXTRA_BYTES + FEW_BYTES;

  /** Up to here two buffers are copied into one before they are sealed. */
  private static final int COPIED_BYTES = 1 << 12;

  private final RecordCipher sealer;
  private final RecordCipher opener;
  private final ByteBuffer together = ByteBuffer.allocate(COPIED_BYTES);

  /**
   * Puts records upon a channel.
   *
   * @param plain the channel
   * @param sent the secret of what this end sends
   * @param received the secret of what it receives
   */
  RecordChannel(Channel plain, byte[] sent, byte[] received) {
    this(plain, sent, received, RecordCipher.RECORDS_PER_KEY);
  }

  RecordChannel(Channel plain, byte[] sent, byte[] received, int recordsPerKey) {
    super(plain, FEW_BYTES, FEW_BYTES);
    this.sealer = RecordCipher.sealing(sent, recordsPerKey);
    this.opener = RecordCipher.opening(received, recordsPerKey);
  }

  // ---- sending

  @Override
  public long write(ByteBuffer first, ByteBuffer second) throws IOException {
    long taken = 0;
    while (flush() && (first.hasRemaining() || second.hasRemaining())) {
      taken += seal(first, second);
    }
    return taken;
  }

  /** Seals one record. */
  private int seal(ByteBuffer first, ByteBuffer second) throws IOException {
    int of1st = Math.min(first.remaining(), RecordCipher.MOST_BYTES);
    int of2nd = Math.min(second.remaining(), RecordCipher.MOST_BYTES - of1st);
    int size = of1st + of2nd;
    int limit1 = first.limit();
    int limit2 = second.limit();
    if (outgoing.capacity() < size + EXTRA_BYTES) {
      outgoing = ByteBuffer.allocateDirect(FULL_BYTES);
    }
    outgoing.clear().putInt(size);
    try {
      first.limit(first.position() + of1st);
      second.limit(second.position() + of2nd);
      if (of1st == 0) {
        sealer.next(second, outgoing);
      } else if (of2nd == 0) {
        sealer.next(first, outgoing);
      } else if (size <= COPIED_BYTES) {
        sealer.next(together.clear().put(first).put(second).flip(), outgoing);
      } else {
        sealer.next(first, second, outgoing);
      }
    } catch (GeneralSecurityException impossible) {
      throw new IOException("a record cannot be sealed", impossible);
    } finally {
      first.limit(limit1);
      second.limit(limit2);
    }
    outgoing.flip();
    return size;
  }

  // ---- receiving

  @Override
  public int read(ByteBuffer target) throws IOException {
    int total = 0;
    while (target.hasRemaining()) {
      if (opened.hasRemaining()) {
        total += handOn(target);
      } else if (hasRecord()) {
        int size = incoming.getInt(incoming.position());
        if (size <= target.remaining()) {
          open(size, target);
          total += size;
        } else {
          if (opened.capacity() < size) {
            opened = ByteBuffer.allocate(RecordCipher.MOST_BYTES);
          }
          open(size, opened.clear());
          opened.flip();
        }
      } else if (!fill()) {
        return total == 0 && ended ? -1 : total;
      }
    }
    return total;
  }

  /** Whether all of a record is there. */
  private boolean hasRecord() throws IOException {
    if (incoming.remaining() < HEADER_BYTES) {
      return false;
    }
    int size = incoming.getInt(incoming.position());
    if (size < 1 || size > RecordCipher.MOST_BYTES) {
      throw new BrokenSeal("what comes is no sealed record: it claims " + size + " bytes");
    }
    return incoming.remaining() >= size + EXTRA_BYTES;
  }

  private void open(int size, ByteBuffer target) throws IOException {
    int limit = incoming.limit();
    int from = target.position();
    int end = incoming.position() + size + EXTRA_BYTES;
    incoming.limit(end).position(incoming.position() + HEADER_BYTES);
    try {
      opener.next(incoming, target);
    } catch (GeneralSecurityException e) {
      target.position(from);
      throw new BrokenSeal("a record is not what the other side has sealed", e);
    } finally {
      incoming.limit(limit).position(end);
    }
  }

  @Override
  int room() {
    boolean large =
        incoming.remaining() >= HEADER_BYTES
            && incoming.getInt(incoming.position()) + EXTRA_BYTES > incoming.capacity();
    return large ? FULL_BYTES : FEW_BYTES;
  }

  @Override
  void checkEnd() throws EOFException {
    if (incoming.hasRemaining()) {
      throw new EOFException("the stream ends inside of a sealed record");
    }
  }

  @Override
  public boolean hasInput() {
    if (opened.hasRemaining()) {
      return true;
    }
    int there = incoming.remaining();
    if (there < HEADER_BYTES) {
      return false;
    }
    int size = incoming.getInt(incoming.position());
    return size < 1 || there >= (long) size + EXTRA_BYTES; // the next read throws where it is wrong
  }
}
