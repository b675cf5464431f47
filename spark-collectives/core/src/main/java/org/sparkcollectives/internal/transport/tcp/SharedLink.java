package org.sparkcollectives.internal.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.LinkErrors;
import org.sparkcollectives.internal.transport.memory.ByteRing;
import org.sparkcollectives.internal.transport.memory.SharedRings;
import org.sparkcollectives.transport.RingLink;

/**
 * A leased connection between two processes of one host, whose bytes go through memory. The socket
 * carries doorbells, zero bytes that wake a rank that sleeps, and its end is the link's end. A
 * doorbell that finds no room in the socket is not missed: those before it have not been heard yet.
 */
final class SharedLink extends SocketLink implements RingLink {
  private final ByteRing inbound;
  private final ByteRing outbound;
  private final ByteBuffer bell = ByteBuffer.allocateDirect(1);

  /** What the socket brings behind the doorbells: the frame that ends the lease. */
  private final ByteBuffer returned;

  /** Whether nothing more comes from the peer but what the ring holds. */
  private boolean ended;

  private @Nullable IOException failure;

  SharedLink(
      int peer, String peerName, Connection connection, SelectionKey key, SharedRings rings) {
    super(peer, peerName, connection, key);
    this.inbound = rings.inbound();
    this.outbound = rings.outbound();
    this.returned = connection.returned();
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    checkWritable();
    return written(outbound.write(source));
  }

  @Override
  public long write(ByteBuffer first, ByteBuffer second) throws IOException {
    checkWritable();
    int count = outbound.write(first);
    if (!first.hasRemaining()) {
      count += outbound.write(second);
    }
    return written(count);
  }

  private int written(int count) {
    if (count > 0 && outbound.wakesReader()) {
      ring();
    }
    return count;
  }

  @Override
  public ByteBuffer room() throws IOException {
    checkWritable();
    return outbound.room();
  }

  @Override
  public void wrote(int bytes) throws IOException {
    checkOpen();
    outbound.wrote(bytes);
    written(bytes);
  }

  @Override
  public ByteBuffer held() throws IOException {
    checkOpen();
    return inbound.held();
  }

  @Override
  public void consumed(int bytes) throws IOException {
    checkOpen();
    inbound.consumed(bytes);
    hasRead();
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    checkOpen();
    boolean last = ended;
    int count = inbound.read(target);
    if (count > 0) {
      hasRead();
      return count;
    }
    if (!last || !target.hasRemaining()) {
      return 0;
    }
    if (failure != null) {
      throw LinkErrors.linkBroken(peerName, failure);
    }
    return -1;
  }

  private void hasRead() {
    if (inbound.wakesWriter()) {
      ring();
    }
  }

  /**
   * Wakes the peer, who may have woken for another reason and left: its end is the next caller's
   * matter, after what it wrote before has been read.
   */
  private void ring() {
    if (!ended) {
      try {
        channel.write(bell.clear());
      } catch (IOException e) {
        lost(e);
      }
    }
  }

  /** Memory outlives the socket: a link that another thread has closed must not go on. */
  private void checkOpen() throws IOException {
    if (!channel.isOpen()) {
      throw LinkErrors.linkClosed(peerName);
    }
  }

  private void checkWritable() throws IOException {
    checkOpen();
    if (failure != null) {
      throw LinkErrors.linkBroken(peerName, failure);
    }
    if (ended) {
      throw LinkErrors.peerLeft(peerName);
    }
  }

  @Override
  int roomInterest() {
    return SelectionKey.OP_READ;
  }

  @Override
  boolean beforeWait(boolean forBytes, boolean forRoom) {
    boolean sleeps = !ended;
    if (forBytes) {
      sleeps &= inbound.readerSleeps();
    }
    if (forRoom) {
      sleeps &= outbound.writerSleeps();
    }
    return sleeps;
  }

  @Override
  void afterWait(boolean slept) {
    inbound.readerAwake();
    outbound.writerAwake();
    if (!slept) {
      return;
    }
    try {
      int count = channel.read(returned);
      while (Frames.dropDoorbells(returned)) {
        count = channel.read(returned);
      }
      ended |= count < 0 || returned.position() > 0;
    } catch (IOException e) {
      lost(e);
    }
  }

  private void lost(IOException e) {
    ended = true;
    failure = e;
  }
}
