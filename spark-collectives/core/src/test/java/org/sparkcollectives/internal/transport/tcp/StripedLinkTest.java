package org.sparkcollectives.internal.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.internal.transport.LinkProvider.WaitableLink;

/** What a sender over several links waits for. */
class StripedLinkTest {

  /** A link that takes everything, and holds it back while it is told to. */
  private static final class Held implements WaitableLink {
    boolean holds;
    boolean watched;

    @Override
    public int peer() {
      return 1;
    }

    @Override
    public int write(ByteBuffer source) {
      int taken = source.remaining();
      source.position(source.limit());
      return taken;
    }

    @Override
    public long write(ByteBuffer first, ByteBuffer second) {
      return (long) write(first) + write(second);
    }

    @Override
    public boolean flush() {
      return !holds;
    }

    @Override
    public int read(ByteBuffer target) {
      return 0;
    }

    @Override
    public boolean prepare(boolean forBytes, boolean forRoom) {
      watched = forRoom;
      return true;
    }
  }

  /** One that has room would end each wait at once, until the peer has read from the other. */
  @Test
  void whatALinkHoldsBackIsWaitedForAlone() throws IOException {
    Held[] links = {new Held(), new Held(), new Held()};
    StripedLink striped = new StripedLink(links);
    links[0].holds = true;
    assertEquals(
        StripedLink.STRIPE_BYTES, striped.write(ByteBuffer.allocate(StripedLink.STRIPE_BYTES)));
    assertFalse(striped.flush());
    assertTrue(striped.prepare(false, true));
    assertTrue(links[0].watched);
    assertFalse(links[1].watched);
    assertFalse(links[2].watched);

    links[0].holds = false;
    assertTrue(striped.flush());
    assertTrue(striped.prepare(false, true));
    assertFalse(links[0].watched);
    assertTrue(links[1].watched);
    assertFalse(links[2].watched);
  }
}
