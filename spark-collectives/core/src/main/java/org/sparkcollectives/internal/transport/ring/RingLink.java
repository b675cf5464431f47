package org.sparkcollectives.internal.transport.ring;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.sparkcollectives.internal.transport.LinkErrors;
import org.sparkcollectives.internal.transport.LinkProvider.WaitableLink;

/** One end of a pair of rings between two ranks of a process. */
final class RingLink implements WaitableLink {
  private final int peer;
  private final String peerName;
  private final Seat mine;
  private final Seat theirs;
  private final ByteRing inbound;
  private final ByteRing outbound;

  RingLink(int peer, String peerName, Seat mine, Seat theirs, ByteRing inbound, ByteRing outbound) {
    this.peer = peer;
    this.peerName = peerName;
    this.mine = mine;
    this.theirs = theirs;
    this.inbound = inbound;
    this.outbound = outbound;
  }

  @Override
  public int peer() {
    return peer;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    checkWritable();
    int count = outbound.write(source);
    if (count > 0) {
      theirs.signal();
    }
    return count;
  }

  @Override
  public long write(ByteBuffer first, ByteBuffer second) throws IOException {
    checkWritable();
    long count = outbound.write(first);
    if (!first.hasRemaining()) {
      count += outbound.write(second);
    }
    if (count > 0) {
      theirs.signal();
    }
    return count;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    checkOpen();
    boolean ended = theirs.isGone();
    int count = inbound.read(target);
    if (count > 0) {
      theirs.signal();
      return count;
    }
    return ended && target.hasRemaining() ? -1 : 0;
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
    theirs.signal();
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
    theirs.signal();
  }

  private void checkOpen() throws IOException {
    if (mine.isGone()) {
      throw LinkErrors.linkClosed(peerName);
    }
  }

  private void checkWritable() throws IOException {
    checkOpen();
    if (theirs.isGone()) {
      throw LinkErrors.peerLeft(peerName);
    }
  }

  @Override
  public boolean prepare(boolean forBytes, boolean forRoom) {
    boolean ready = (forBytes && !inbound.isEmpty()) || (forRoom && !outbound.isFull());
    return !ready && !theirs.isGone() && !mine.isGone();
  }
}
