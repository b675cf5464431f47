package org.sparkcollectives.internal.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.sparkcollectives.internal.transport.LinkErrors;
import org.sparkcollectives.internal.transport.LinkProvider.WaitableLink;
import org.sparkcollectives.internal.transport.tcp.channel.Channel;

/** A leased connection that carries the bytes itself. */
final class TcpLink implements WaitableLink {
  private final int peer;
  private final String peerName;
  private final Channel channel;
  private final LeasedChannel leased;

  TcpLink(int peer, String peerName, LeasedChannel leased) {
    this.peer = peer;
    this.peerName = peerName;
    this.channel = leased.channel();
    this.leased = leased;
  }

  @Override
  public int peer() {
    return peer;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    try {
      return channel.write(source);
    } catch (IOException e) {
      throw LinkErrors.linkBroken(peerName, e);
    }
  }

  @Override
  public long write(ByteBuffer first, ByteBuffer second) throws IOException {
    try {
      return channel.write(first, second);
    } catch (IOException e) {
      throw LinkErrors.linkBroken(peerName, e);
    }
  }

  @Override
  public boolean flush() throws IOException {
    try {
      return channel.flush();
    } catch (IOException e) {
      throw LinkErrors.linkBroken(peerName, e);
    }
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    try {
      return channel.read(target);
    } catch (IOException e) {
      throw LinkErrors.linkBroken(peerName, e);
    }
  }

  @Override
  public boolean prepare(boolean forBytes, boolean forRoom) {
    return !forBytes || !channel.hasInput();
  }

  @Override
  public void watch(boolean forBytes, boolean forRoom) {
    leased.watch(forBytes, forRoom);
  }
}
