package org.sparkcollectives.internal.transport.shared;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.Doorbell;
import org.sparkcollectives.internal.transport.LinkErrors;
import org.sparkcollectives.internal.transport.LinkProvider.WaitableLink;
import org.sparkcollectives.internal.transport.ring.ByteRing;

/**
 * A leased connection between two processes of one host, whose bytes go through memory. The
 * connection wakes a rank that sleeps, and its end is the link's end.
 */
final class SharedLink implements WaitableLink {
  private final int peer;
  private final String peerName;
  private final ByteRing inbound;
  private final ByteRing outbound;
  private final Doorbell doorbell;

  /** Whether nothing more comes from the peer but what the ring holds. */
  private boolean ended;

  private @Nullable IOException failure;

  SharedLink(int peer, String peerName, SharedRings rings, Doorbell doorbell) {
    this.peer = peer;
    this.peerName = peerName;
    this.inbound = rings.inbound();
    this.outbound = rings.outbound();
    this.doorbell = doorbell;
  }

  @Override
  public int peer() {
    return peer;
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
  public boolean inPlace() {
    return true;
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
        doorbell.ring();
      } catch (IOException e) {
        lost(e);
      }
    }
  }

  /** Memory outlives the socket: a link that another thread has closed must not go on. */
  private void checkOpen() throws IOException {
    if (!doorbell.isOpen()) {
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
  public boolean prepare(boolean forBytes, boolean forRoom) {
    boolean waits = !ended;
    if (forBytes) {
      waits &= inbound.readerSleeps();
    }
    if (forRoom) {
      waits &= outbound.writerSleeps();
    }
    return waits;
  }

  @Override
  public void watch(boolean forBytes, boolean forRoom) {
    doorbell.watch(forBytes || forRoom);
  }

  @Override
  public void resume(boolean waited) {
    inbound.readerAwake();
    outbound.writerAwake();
    if (!waited) {
      return;
    }
    try {
      ended |= !doorbell.heard();
    } catch (IOException e) {
      lost(e);
    }
  }

  private void lost(IOException e) {
    ended = true;
    failure = e;
  }
}
