package org.sparkcollectives.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A full-duplex, ordered, non-blocking byte stream to one peer, owned by one rank's thread. Bytes
 * that were sent in sequence arrive in sequence; there are no message boundaries.
 */
public interface Link {

  /**
   * The peer.
   *
   * @return its rank
   */
  int peer();

  /**
   * Takes bytes to send, as many as there is room for, without waiting.
   *
   * @param source the bytes; its position moves by the number taken
   * @return the number of bytes taken, 0 when there is no room now
   * @throws IOException if the link is broken
   */
  int write(ByteBuffer source) throws IOException;

  /**
   * Takes bytes from two buffers in sequence (a header and its payload), as many as there is room
   * for, without waiting, in one system call where there are any.
   *
   * @param first sent first
   * @param second sent after it
   * @return the number of bytes taken from both, 0 when there is no room now
   * @throws IOException if the link is broken
   */
  long write(ByteBuffer first, ByteBuffer second) throws IOException;

  /**
   * Delivers bytes that have arrived, as many as fit, without waiting. Whoever reads asks for no
   * more than the peer sends in this communicator: the bytes behind belong to the connection.
   *
   * @param target where to; its position moves by the number delivered
   * @return the number of bytes delivered, 0 when none is there now, -1 when the peer has closed
   * @throws IOException if the link is broken
   */
  int read(ByteBuffer target) throws IOException;
}
