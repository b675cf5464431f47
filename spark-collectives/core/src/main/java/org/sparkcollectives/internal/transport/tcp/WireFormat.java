package org.sparkcollectives.internal.transport.tcp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The layout of every frame of the protocol, version 2. Numbers in frames are big-endian. Frames
 * have a fixed size each; between an accepted lease and its end a connection carries the
 * communicator's own bytes, which this class knows nothing about, or, where the two processes share
 * memory, zero bytes that wake the other side. Zeros before a frame are left of those.
 *
 * <pre>
 * header of every frame, 8 bytes
 *   0  4  magic 0x53434F4C ("SCOL")
 *   4  2  protocol version, 2
 *   6  1  type of the frame
 *   7  1  byte order of the sender's data: 'B' big-endian, 'L' little-endian
 *
 * 1 HELLO, 56 bytes, dialer to acceptor
 *   8 16  endpoint that is called: the first 16 bytes of SHA-256 of its identity in UTF-8
 *  24 32  the dialer's nonce
 *
 * 2 CHALLENGE, 72 bytes, acceptor to dialer
 *   8 32  the acceptor's nonce
 *  40 32  HMAC-SHA-256(token, "acceptor" | HELLO | CHALLENGE bytes 0 to 39)
 *
 * 3 PROOF, 40 bytes, dialer to acceptor
 *   8 32  HMAC-SHA-256(token, "dialer" | HELLO | CHALLENGE bytes 0 to 39)
 *
 * 4 LEASE, 32 bytes, dialer to acceptor
 *   8  8  communicator
 *  16  4  epoch
 *  20  4  rank of the dialer
 *  24  4  rank of the acceptor
 *  28  4  0
 *
 * 5 ANSWER, 16 bytes, acceptor to dialer
 *   8  4  code: 0 accepted, else the reason of a refusal
 *  12  4  1 if bytes go through shared memory, else 0
 *
 * 6 RETURNED, 24 bytes, acceptor to dialer: the lease is over, another one may follow
 *   8  8  communicator
 *  16  4  epoch
 *  20  4  0
 *
 * 7 SHARE, 24 bytes, dialer to acceptor, at most once, before the first LEASE: memory is offered
 *   8 16  name of its file
 * </pre>
 */
final class WireFormat {
  static final int MAGIC = 0x53434F4C;
  static final short VERSION = 2;

  static final int MAGIC_OFFSET = 0;
  static final int VERSION_OFFSET = 4;
  static final int TYPE_OFFSET = 6;
  static final int ORDER_OFFSET = 7;
  static final int HEADER_BYTES = 8;

  static final int NONCE_BYTES = 32;
  static final int MAC_BYTES = 32;
  static final int IDENTITY_BYTES = 16;

  static final byte HELLO = 1;
  static final int HELLO_ENDPOINT_OFFSET = 8;
  static final int HELLO_NONCE_OFFSET = 24;
  static final int HELLO_BYTES = 56;

  static final byte CHALLENGE = 2;
  static final int CHALLENGE_NONCE_OFFSET = 8;
  static final int CHALLENGE_MAC_OFFSET = 40;
  static final int CHALLENGE_BYTES = 72;

  static final byte PROOF = 3;
  static final int PROOF_MAC_OFFSET = 8;
  static final int PROOF_BYTES = 40;

  static final byte LEASE = 4;
  static final int LEASE_COMMUNICATOR_OFFSET = 8;
  static final int LEASE_EPOCH_OFFSET = 16;
  static final int LEASE_FROM_OFFSET = 20;
  static final int LEASE_TO_OFFSET = 24;
  static final int LEASE_BYTES = 32;

  static final byte ANSWER = 5;
  static final int ANSWER_CODE_OFFSET = 8;
  static final int ANSWER_SHARED_OFFSET = 12;
  static final int ANSWER_BYTES = 16;

  static final byte RETURNED = 6;
  static final int RETURNED_COMMUNICATOR_OFFSET = 8;
  static final int RETURNED_EPOCH_OFFSET = 16;
  static final int RETURNED_BYTES = 24;

  static final byte SHARE = 7;
  static final int SHARE_NAME_OFFSET = 8;
  static final int SHARE_BYTES = 24;

  /** The largest frame. */
  static final int MAX_BYTES = CHALLENGE_BYTES;

  private static final byte BIG = 'B';
  private static final byte LITTLE = 'L';

  private WireFormat() {}

  /** The byte order of data on this machine, as the header has it. */
  static byte nativeOrder() {
    return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? BIG : LITTLE;
  }

  /**
   * The size of a frame.
   *
   * @param type its type
   * @return bytes, or -1 for a type that does not exist
   */
  static int bytes(byte type) {
    return switch (type) {
      case HELLO -> HELLO_BYTES;
      case CHALLENGE -> CHALLENGE_BYTES;
      case PROOF -> PROOF_BYTES;
      case LEASE -> LEASE_BYTES;
      case ANSWER -> ANSWER_BYTES;
      case RETURNED -> RETURNED_BYTES;
      case SHARE -> SHARE_BYTES;
      default -> -1;
    };
  }

  /**
   * A frame with its header and zeros.
   *
   * @param type its type
   * @return position 0, limit the frame's size
   */
  static ByteBuffer frame(byte type) {
    return ByteBuffer.allocate(bytes(type))
        .putInt(MAGIC_OFFSET, MAGIC)
        .putShort(VERSION_OFFSET, VERSION)
        .put(TYPE_OFFSET, type)
        .put(ORDER_OFFSET, nativeOrder());
  }

  static ByteBuffer lease(Lease lease) {
    return frame(LEASE)
        .putLong(LEASE_COMMUNICATOR_OFFSET, lease.communicator())
        .putInt(LEASE_EPOCH_OFFSET, lease.epoch())
        .putInt(LEASE_FROM_OFFSET, lease.from())
        .putInt(LEASE_TO_OFFSET, lease.to());
  }

  static Lease lease(ByteBuffer frame) {
    return new Lease(
        frame.getLong(LEASE_COMMUNICATOR_OFFSET),
        frame.getInt(LEASE_EPOCH_OFFSET),
        frame.getInt(LEASE_FROM_OFFSET),
        frame.getInt(LEASE_TO_OFFSET));
  }

  static ByteBuffer answer(Answer answer) {
    return frame(ANSWER).putInt(ANSWER_CODE_OFFSET, answer.code());
  }

  static ByteBuffer accepted(boolean shared) {
    return answer(Answer.ACCEPTED).putInt(ANSWER_SHARED_OFFSET, shared ? 1 : 0);
  }

  static boolean isShared(ByteBuffer answer) {
    return answer.getInt(ANSWER_SHARED_OFFSET) == 1;
  }

  static ByteBuffer share(byte[] name) {
    return frame(SHARE).put(SHARE_NAME_OFFSET, name);
  }

  static byte[] share(ByteBuffer frame) {
    byte[] name = new byte[SHARE_BYTES - SHARE_NAME_OFFSET];
    frame.get(SHARE_NAME_OFFSET, name);
    return name;
  }

  static Answer answer(ByteBuffer frame) {
    return Answer.of(frame.getInt(ANSWER_CODE_OFFSET));
  }

  static ByteBuffer returned(Lease lease) {
    return frame(RETURNED)
        .putLong(RETURNED_COMMUNICATOR_OFFSET, lease.communicator())
        .putInt(RETURNED_EPOCH_OFFSET, lease.epoch());
  }

  static boolean isReturned(ByteBuffer frame, Lease lease) {
    return frame.getLong(RETURNED_COMMUNICATOR_OFFSET) == lease.communicator()
        && frame.getInt(RETURNED_EPOCH_OFFSET) == lease.epoch();
  }
}
