package org.sparkcollectives.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A full-duplex, ordered, non-blocking byte stream to one peer, owned by one rank's thread. Bytes
 * that were sent in sequence arrive in sequence; there are no message boundaries.
 *
 * <p>Every link copies bytes from and to buffers. One whose bytes lie in memory that both ranks see
 * is {@link #inPlace} too: bytes to send may be made in place, and bytes that have arrived used in
 * place. Buffers that it gives are valid until the next call of any of its methods, and
 * little-endian.
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

  /**
   * Sends on what the link has taken and holds back, without waiting.
   *
   * @return whether it holds nothing back; what it does hold goes out when it is called again, or
   *     with bytes that are written later
   * @throws IOException if the link is broken
   */
  default boolean flush() throws IOException {
    return true;
  }

  /**
   * Whether bytes may be made and used in place.
   *
   * @return true if {@link #room}, {@link #wrote}, {@link #held} and {@link #consumed} may be
   *     called
   */
  default boolean inPlace() {
    return false;
  }

  /**
   * Where bytes to send may be put.
   *
   * @return position to limit; empty when there is no room now. What there is may be less than all
   *     room, since it ends where the memory ends
   * @throws IOException if the link is broken
   */
  default ByteBuffer room() throws IOException {
    throw new UnsupportedOperationException("the link to rank " + peer() + " copies");
  }

  /**
   * Sends bytes that have been put into {@link #room()}.
   *
   * @param bytes how many
   * @throws IOException if the link is broken
   */
  default void wrote(int bytes) throws IOException {
    throw new UnsupportedOperationException("the link to rank " + peer() + " copies");
  }

  /**
   * Bytes that have arrived.
   *
   * @return position to limit; empty when there are none now, or none any more, which {@link #read}
   *     tells. It may be less than all that have arrived, since it ends where the memory ends
   * @throws IOException if the link is broken
   */
  default ByteBuffer held() throws IOException {
    throw new UnsupportedOperationException("the link to rank " + peer() + " copies");
  }

  /**
   * Gives back bytes of {@link #held()}.
   *
   * @param bytes how many
   * @throws IOException if the link is broken
   */
  default void consumed(int bytes) throws IOException {
    throw new UnsupportedOperationException("the link to rank " + peer() + " copies");
  }
}
