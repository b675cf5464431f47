package org.sparkcollectives.internal.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.sparkcollectives.internal.transport.LinkProvider.WaitableLink;

/**
 * Several links to one peer as one: the stream is cut into stripes of a fixed length, which take
 * turns among the links. A network that gives each connection a part of a card's rate is filled by
 * as many connections as there are parts. Both ends count bytes, so that nothing is added to them.
 */
final class StripedLink implements WaitableLink {
  /** The length of a stripe. */
  static final int STRIPE_BYTES = 1 << 16;

  private final WaitableLink[] links;

  /** Which links held back what they have taken, when they were flushed last. */
  private final boolean[] held;

  private long written;
  private long read;

  /**
   * Makes one link of several.
   *
   * @param links two or more to one peer, in the same order at both ends, nothing sent over them
   */
  StripedLink(WaitableLink[] links) {
    this.links = links.clone();
    this.held = new boolean[links.length];
  }

  @Override
  public int peer() {
    return links[0].peer();
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    int taken = fill(source);
    if (source.hasRemaining()) {
      flush();
    }
    return taken;
  }

  /** Writes until there is no room. */
  private int fill(ByteBuffer source) throws IOException {
    int from = source.position();
    int end = source.limit();
    boolean room = true;
    while (room && source.position() < end) {
      source.limit(Math.min(end, source.position() + left(written)));
      try {
        written += links[turn(written)].write(source);
        room = !source.hasRemaining();
      } finally {
        source.limit(end);
      }
    }
    return source.position() - from;
  }

  @Override
  public long write(ByteBuffer first, ByteBuffer second) throws IOException {
    int left = left(written);
    if (first.remaining() >= left) {
      long taken = write(first);
      return first.hasRemaining() ? taken : taken + write(second);
    }
    int end = second.limit();
    second.limit(Math.min(end, second.position() + left - first.remaining()));
    long taken;
    boolean room;
    try {
      taken = links[turn(written)].write(first, second);
      written += taken;
      room = !first.hasRemaining() && !second.hasRemaining();
    } finally {
      second.limit(end);
    }
    if (room) {
      return taken + write(second);
    }
    flush();
    return taken;
  }

  /**
   * {@inheritDoc} A sender that finds no room does so too, before it waits: the receiver may wait
   * for just that, the end of an earlier stripe.
   */
  @Override
  public boolean flush() throws IOException {
    boolean all = true;
    for (int i = 0; i < links.length; i++) {
      held[i] = !links[i].flush();
      all &= !held[i];
    }
    return all;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    int from = target.position();
    int end = target.limit();
    boolean more = true;
    while (more && target.position() < end) {
      target.limit(Math.min(end, target.position() + left(read)));
      try {
        int count = links[turn(read)].read(target);
        if (count < 0) {
          return target.position() > from ? target.position() - from : -1;
        }
        read += count;
        more = !target.hasRemaining();
      } finally {
        target.limit(end);
      }
    }
    return target.position() - from;
  }

  @Override
  public boolean prepare(boolean forBytes, boolean forRoom) {
    boolean wait = true;
    boolean holds = holds();
    for (int i = 0; i < links.length; i++) {
      wait &= links[i].prepare(forBytes && bytesAt(i), forRoom && roomAt(i, holds));
    }
    return wait;
  }

  @Override
  public void watch(boolean forBytes, boolean forRoom) {
    boolean holds = holds();
    for (int i = 0; i < links.length; i++) {
      links[i].watch(forBytes && bytesAt(i), forRoom && roomAt(i, holds));
    }
  }

  @Override
  public void resume(boolean waited) {
    for (WaitableLink link : links) {
      link.resume(waited);
    }
  }

  /** Whether the bytes that come next come over a link. */
  private boolean bytesAt(int link) {
    return link == turn(read);
  }

  /**
   * Whether room is waited for at a link: at those that hold something back, whose bytes the peer
   * needs first, and where there are none at the one whose turn is next, which may have room.
   */
  private boolean roomAt(int link, boolean holds) {
    return holds ? held[link] : link == turn(written);
  }

  /** Whether any link holds something back. */
  private boolean holds() {
    for (boolean each : held) {
      if (each) {
        return true;
      }
    }
    return false;
  }

  /** Whose turn it is after so many bytes. */
  private int turn(long bytes) {
    return (int) (bytes / STRIPE_BYTES % links.length);
  }

  /** How many bytes are left of a stripe. */
  private static int left(long bytes) {
    return (int) (STRIPE_BYTES - bytes % STRIPE_BYTES);
  }
}
