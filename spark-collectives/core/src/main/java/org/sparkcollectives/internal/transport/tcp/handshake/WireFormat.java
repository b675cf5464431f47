package org.sparkcollectives.internal.transport.tcp.handshake;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.sparkcollectives.internal.transport.Roster;

/**
 * The layout of every frame of the protocol, version 4. Numbers in frames are big-endian. Frames
 * have a fixed size each; between an accepted lease and its end a connection carries the
 * communicator's own bytes, which this class knows nothing about, or, where the two processes share
 * memory, zero bytes that wake the other side. Zeros before a frame are left of those.
 *
 * <pre>
 * header of every frame, 8 bytes
 *   0  4  magic 0x53434F4C ("SCOL")
 *   4  2  protocol version, 4
 *   6  1  type of the frame
 *   7  1  byte order of the sender's data: 'B' big-endian, 'L' little-endian
 *
 * 1 HELLO, 92 bytes, dialer to acceptor
 *   8 16  endpoint that is called: the first 16 bytes of SHA-256 of its identity in UTF-8
 *  24 32  the dialer's nonce
 *  56  4  what seals all that follows the PROOF: its code, of those in docs/wire-format.md
 *  60 32  the dialer's share in it
 *
 * 2 CHALLENGE, 104 bytes, acceptor to dialer
 *   8 32  the acceptor's nonce
 *  40 32  the acceptor's share
 *  72 32  HMAC-SHA-256(token, "acceptor" | HELLO | CHALLENGE bytes 0 to 71)
 *
 * 3 PROOF, 40 bytes, dialer to acceptor
 *   8 32  HMAC-SHA-256(token, "dialer" | HELLO | CHALLENGE bytes 0 to 71)
 *
 * 4 LEASE, 32 bytes, dialer to acceptor
 *   8  8  communicator
 *  16  4  epoch
 *  20  4  rank of the dialer
 *  24  4  rank of the acceptor
 *  28  2  which of the two ranks' connections this is to be
 *  30  2  how many they are to have
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
public final class WireFormat {
  static final int MAGIC = 0x53434F4C;
  static final short VERSION = 4;

  /** Where a header has the magic. */
  public static final int MAGIC_OFFSET = 0;

  /** Where a header has the version. */
  public static final int VERSION_OFFSET = 4;

  /** Where a header has the type. */
  public static final int TYPE_OFFSET = 6;

  /** Where a header has the byte order. */
  public static final int ORDER_OFFSET = 7;

  /** The size of a header. */
  public static final int HEADER_BYTES = 8;

  /** The size of a nonce. */
  public static final int NONCE_BYTES = 32;

  /** The size of a code. */
  public static final int MAC_BYTES = 32;

  static final int IDENTITY_BYTES = 16;

  /** The type of the frame that calls an endpoint. */
  public static final byte HELLO = 1;

  /** Where a HELLO has the endpoint. */
  public static final int HELLO_ENDPOINT_OFFSET = 8;

  /** Where a HELLO has its nonce. */
  public static final int HELLO_NONCE_OFFSET = 24;

  static final int HELLO_SEAL_OFFSET = 56;
  static final int HELLO_SHARE_OFFSET = 60;

  /** The size of a share in a seal. */
  public static final int SEAL_SHARE_BYTES = 32;

  /** The size of a HELLO. */
  public static final int HELLO_BYTES = 92;

  /** The type of the frame that proves the acceptor. */
  public static final byte CHALLENGE = 2;

  /** Where a CHALLENGE has its nonce. */
  public static final int CHALLENGE_NONCE_OFFSET = 8;

  static final int CHALLENGE_SHARE_OFFSET = 40;

  /** Where a CHALLENGE has its code. */
  public static final int CHALLENGE_MAC_OFFSET = 72;

  /** The size of a CHALLENGE. */
  public static final int CHALLENGE_BYTES = 104;

  /** The type of the frame that proves the dialer. */
  public static final byte PROOF = 3;

  /** Where a PROOF has its code. */
  public static final int PROOF_MAC_OFFSET = 8;

  /** The size of a PROOF. */
  public static final int PROOF_BYTES = 40;

  /** The type of the frame that asks for a lease. */
  public static final byte LEASE = 4;

  static final int LEASE_COMMUNICATOR_OFFSET = 8;
  static final int LEASE_EPOCH_OFFSET = 16;
  static final int LEASE_FROM_OFFSET = 20;
  static final int LEASE_TO_OFFSET = 24;
  static final int LEASE_STRIPE_OFFSET = 28;
  static final int LEASE_STRIPES_OFFSET = 30;

  /** The size of a LEASE. */
  public static final int LEASE_BYTES = 32;

  /** The type of the frame that accepts or refuses. */
  public static final byte ANSWER = 5;

  static final int ANSWER_CODE_OFFSET = 8;
  static final int ANSWER_SHARED_OFFSET = 12;
  static final int ANSWER_BYTES = 16;

  /** The type of the frame that ends a lease. */
  public static final byte RETURNED = 6;

  static final int RETURNED_COMMUNICATOR_OFFSET = 8;
  static final int RETURNED_EPOCH_OFFSET = 16;

  /** The size of a RETURNED. */
  public static final int RETURNED_BYTES = 24;

  /** The type of the frame that offers a carrier. */
  public static final byte SHARE = 7;

  static final int SHARE_NAME_OFFSET = 8;

  /** The size of a SHARE. */
  public static final int SHARE_BYTES = 24;

  /** The largest frame. */
  static final int MAX_BYTES = CHALLENGE_BYTES;

  private static final byte BIG = 'B';
  private static final byte LITTLE = 'L';

  private WireFormat() {}

  /**
   * The type of a frame.
   *
   * @param frame the frame, its header at least
   * @return the type, which may be none that exists
   */
  public static byte type(ByteBuffer frame) {
    return frame.get(TYPE_OFFSET);
  }

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
  public static int bytes(byte type) {
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
  public static ByteBuffer frame(byte type) {
    return ByteBuffer.allocate(bytes(type))
        .putInt(MAGIC_OFFSET, MAGIC)
        .putShort(VERSION_OFFSET, VERSION)
        .put(TYPE_OFFSET, type)
        .put(ORDER_OFFSET, nativeOrder());
  }

  /**
   * What is to seal all that follows the PROOF.
   *
   * @param hello a HELLO
   * @return the code of a sealing
   */
  public static int seal(ByteBuffer hello) {
    return hello.getInt(HELLO_SEAL_OFFSET);
  }

  /**
   * The share of a frame's sender in the seal.
   *
   * @param frame a HELLO or a CHALLENGE
   * @return {@link #SEAL_SHARE_BYTES} bytes
   */
  public static byte[] sealShare(ByteBuffer frame) {
    byte[] share = new byte[SEAL_SHARE_BYTES];
    frame.get(type(frame) == HELLO ? HELLO_SHARE_OFFSET : CHALLENGE_SHARE_OFFSET, share);
    return share;
  }

  /**
   * The frame that asks for a lease.
   *
   * @param lease the lease
   * @param stripes how many connections the two ranks are to have
   * @return a LEASE
   */
  public static ByteBuffer lease(Lease lease, int stripes) {
    return frame(LEASE)
        .putLong(LEASE_COMMUNICATOR_OFFSET, lease.communicator())
        .putInt(LEASE_EPOCH_OFFSET, lease.epoch())
        .putInt(LEASE_FROM_OFFSET, lease.from())
        .putInt(LEASE_TO_OFFSET, lease.to())
        .putShort(LEASE_STRIPE_OFFSET, (short) lease.stripe())
        .putShort(LEASE_STRIPES_OFFSET, (short) stripes);
  }

  /**
   * The lease that is asked for.
   *
   * @param frame a LEASE
   * @return the lease
   */
  public static Lease lease(ByteBuffer frame) {
    return new Lease(
        frame.getLong(LEASE_COMMUNICATOR_OFFSET),
        frame.getInt(LEASE_EPOCH_OFFSET),
        frame.getInt(LEASE_FROM_OFFSET),
        frame.getInt(LEASE_TO_OFFSET),
        frame.getShort(LEASE_STRIPE_OFFSET));
  }

  /**
   * How many connections two ranks are to have.
   *
   * @param frame a LEASE
   * @return how many; 0 where the frame says what cannot be
   */
  public static int stripes(ByteBuffer frame) {
    int stripe = frame.getShort(LEASE_STRIPE_OFFSET);
    int stripes = frame.getShort(LEASE_STRIPES_OFFSET);
    return 0 <= stripe && stripe < stripes && stripes <= Roster.MOST_CONNECTIONS ? stripes : 0;
  }

  /**
   * The frame that accepts or refuses.
   *
   * @param answer the answer
   * @return an ANSWER
   */
  public static ByteBuffer answer(AnswerCode answer) {
    return frame(ANSWER).putInt(ANSWER_CODE_OFFSET, answer.code());
  }

  /**
   * The frame that accepts a lease.
   *
   * @param shared whether bytes go through a carrier
   * @return an ANSWER
   */
  public static ByteBuffer accepted(boolean shared) {
    return answer(AnswerCode.ACCEPTED).putInt(ANSWER_SHARED_OFFSET, shared ? 1 : 0);
  }

  /**
   * Whether an offered carrier has been taken.
   *
   * @param answer an ANSWER that accepts
   * @return true if bytes go through it
   */
  public static boolean isShared(ByteBuffer answer) {
    return answer.getInt(ANSWER_SHARED_OFFSET) == 1;
  }

  /**
   * The frame that offers a carrier.
   *
   * @param name the offer's name
   * @return a SHARE
   */
  public static ByteBuffer share(byte[] name) {
    return frame(SHARE).put(SHARE_NAME_OFFSET, name);
  }

  /**
   * The name of an offer.
   *
   * @param frame a SHARE
   * @return the name
   */
  public static byte[] share(ByteBuffer frame) {
    byte[] name = new byte[SHARE_BYTES - SHARE_NAME_OFFSET];
    frame.get(SHARE_NAME_OFFSET, name);
    return name;
  }

  /**
   * The answer in a frame.
   *
   * @param frame an ANSWER
   * @return the answer
   */
  public static AnswerCode answer(ByteBuffer frame) {
    return AnswerCode.of(frame.getInt(ANSWER_CODE_OFFSET));
  }

  /**
   * The frame that ends a lease.
   *
   * @param lease the lease
   * @return a RETURNED
   */
  public static ByteBuffer returned(Lease lease) {
    return frame(RETURNED)
        .putLong(RETURNED_COMMUNICATOR_OFFSET, lease.communicator())
        .putInt(RETURNED_EPOCH_OFFSET, lease.epoch());
  }

  /**
   * Whether a frame ends a lease.
   *
   * @param frame a RETURNED
   * @param lease the lease
   * @return true if it is this one
   */
  public static boolean isReturned(ByteBuffer frame, Lease lease) {
    return frame.getLong(RETURNED_COMMUNICATOR_OFFSET) == lease.communicator()
        && frame.getInt(RETURNED_EPOCH_OFFSET) == lease.epoch();
  }
}
