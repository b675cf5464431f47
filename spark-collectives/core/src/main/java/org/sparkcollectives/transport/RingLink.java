package org.sparkcollectives.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A link whose bytes lie in memory that both ranks see: bytes to send may be made in place, and
 * bytes that have arrived used in place. Buffers are valid until the next call of any method of the
 * link, and little-endian.
 */
public interface RingLink extends Link {

  /**
   * Where bytes to send may be put.
   *
   * @return position to limit; empty when there is no room now. What there is may be less than all
   *     room, since it ends where the memory ends
   * @throws IOException if the link is broken
   */
  ByteBuffer room() throws IOException;

  /**
   * Sends bytes that have been put into {@link #room()}.
   *
   * @param bytes how many
   * @throws IOException if the link is broken
   */
  void wrote(int bytes) throws IOException;

  /**
   * Bytes that have arrived.
   *
   * @return position to limit; empty when there are none now, or none any more, which {@link #read}
   *     tells. It may be less than all that have arrived, since it ends where the memory ends
   * @throws IOException if the link is broken
   */
  ByteBuffer held() throws IOException;

  /**
   * Gives back bytes of {@link #held()}.
   *
   * @param bytes how many
   * @throws IOException if the link is broken
   */
  void consumed(int bytes) throws IOException;
}
