package org.sparkcollectives.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.transport.tcp.handshake.Lease;
import org.sparkcollectives.internal.transport.tcp.handshake.WireFormat;

class MessageHeaderTest {

  @Test
  void pricesCountTheHeaderThatIsSent() {
    assertEquals(MessageHeader.BYTES, CostModel.HEADER_BYTES);
  }

  @Test
  void aFrameThatEndsALeaseIsKnownWhereAHeaderIsDue() {
    ByteBuffer frame = WireFormat.returned(new Lease(1, 2, 0, 1)).order(ByteOrder.LITTLE_ENDIAN);
    assertTrue(MessageHeader.saysReturned(frame));
    assertFalse(MessageHeader.saysReturned(frame.duplicate().limit(7)));
    assertFalse(MessageHeader.saysReturned(frame.putLong(0, 0x4C4F_4353L)), "a long message");
  }

  /** Whatever is left of the turn of one of several connections. */
  @Test
  void twoSuchFramesAreKnownWhereTheFirstIsCutOff() {
    byte[] frame = WireFormat.returned(new Lease(1, 2, 0, 1)).array();
    for (int left = 1; left <= frame.length; left++) {
      ByteBuffer both = ByteBuffer.allocate(left + frame.length).order(ByteOrder.LITTLE_ENDIAN);
      both.put(frame, 0, left).put(frame).flip();
      assertTrue(MessageHeader.saysReturned(both), "after " + left + " bytes");
      assertFalse(MessageHeader.saysReturned(both.putLong(0, both.getLong(0) ^ 0x100)));
    }
  }
}
