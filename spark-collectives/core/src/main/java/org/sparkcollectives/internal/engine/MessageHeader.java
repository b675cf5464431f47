package org.sparkcollectives.internal.engine;

import java.nio.ByteBuffer;
import org.sparkcollectives.internal.vector.ElementType;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.vector.ReduceOp;

/**
 * The header before every message's payload, little-endian. It repeats what both ends must agree
 * on, so that ranks that do different things find out at the first message.
 *
 * <pre>
 *  offset  bytes  field
 *       0      8  payload bytes
 *       8      4  number of the operation (20 bits) and of its communicator (the upper 12), see
 *                 {@link Operation#sequence(int, int)}
 *      12      4  round
 *      16      1  collective (its code)
 *      17      1  element type (its code)
 *      18      2  fingerprint of the algorithm, the operator, its width, whether order matters, and
 *                 of given lengths of parts
 *      20      4  elements of the whole vector, in an alltoall of what the sender sends to all
 *      24      4  blocks
 *      28      4  root
 * </pre>
 */
final class MessageHeader {
  static final int BYTES = 32;

  /**
   * A frame that ends a lease where a header is due, read as payload bytes; no message is so long.
   */
  private static final long RETURNED = 0x0006_0400_4C4F_4353L;

  /** No message has more bytes than such a number says. */
  private static final int MOST_PAYLOAD_BITS = 48;

  /** All but the last byte of a frame's header, which has the sender's byte order. */
  private static final long RETURNED_MASK = 0x00FF_FFFF_FFFF_FFFFL;

  private MessageHeader() {}

  static void write(ByteBuffer target, Operation operation, int round, long payloadBytes) {
    Problem problem = operation.program().problem();
    target
        .putLong(payloadBytes)
        .putInt(operation.sequence())
        .putInt(round)
        .put((byte) problem.collective().code())
        .put((byte) operation.vector().type().code())
        .putShort(fingerprint(operation))
        .putInt(operation.layout().elements())
        .putInt(problem.blocks())
        .putInt(problem.root());
  }

  /**
   * Whether the peer has left the communicator, and its transport says so where a message is due.
   * Over several connections it says so on each: where the turn of one ends with the first bytes of
   * the frame, those of the next one's frame follow. No message is as long as any of these says.
   *
   * @param start what has come of a header, little-endian
   */
  static boolean saysReturned(ByteBuffer start) {
    long first = start.remaining() < Long.BYTES ? 0 : start.getLong(start.position());
    if (first >>> MOST_PAYLOAD_BITS == 0) {
      return false;
    }
    boolean returned = (first & RETURNED_MASK) == RETURNED;
    for (int bits = Byte.SIZE; bits < Long.SIZE && !returned; bits += Byte.SIZE) {
      long ofOne = RETURNED & ((1L << bits) - 1);
      returned = first == (RETURNED << bits | ofOne);
    }
    return returned;
  }

  /**
   * Reads a header and compares it with what this rank does.
   *
   * @return the payload's bytes
   * @throws MismatchException if the peer does something else
   */
  static long read(ByteBuffer source, Operation operation, int round) throws MismatchException {
    final long payloadBytes = source.getLong();
    final int sequence = source.getInt();
    final int peerRound = source.getInt();
    final int collective = source.get();
    final int type = source.get();
    final short fingerprint = source.getShort();
    final int elements = source.getInt();
    final int blocks = source.getInt();
    final int root = source.getInt();
    Problem problem = operation.program().problem();
    boolean same =
        sequence == operation.sequence()
            && collective == problem.collective().code()
            && type == operation.vector().type().code()
            && (elements == operation.layout().elements() || !operation.layout().common())
            && root == problem.root();
    if (!same) {
      String what =
          Operation.describe(collectiveName(collective), sequence, elements, typeName(type));
      throw new MismatchException(
          problem.collective().rooted() ? what + ", root " + root : what, true);
    }
    boolean sameSchedule =
        fingerprint == fingerprint(operation)
            && blocks == problem.blocks()
            && peerRound == round
            && payloadBytes >= 0;
    if (!sameSchedule) {
      throw new MismatchException(
          "the same with another operator, algorithm, division into parts or number of blocks ("
              + blocks
              + " blocks, round "
              + peerRound
              + ")",
          false);
    }
    return payloadBytes;
  }

  /** Allocates nothing: it is made for every message. */
  private static short fingerprint(Operation operation) {
    ReduceOp<?> op = operation.op();
    int hash = 31 + operation.program().algorithm().hashCode();
    hash = 31 * hash + Boolean.hashCode(operation.program().problem().ordered());
    hash = 31 * hash + (op == null ? "" : op.name()).hashCode();
    hash = 31 * hash + (op == null ? 0 : op.width());
    return (short) (31 * hash + operation.layout().fingerprint());
  }

  private static String collectiveName(int code) {
    for (Collective collective : Collective.values()) {
      if (collective.code() == code) {
        return collective.slug();
      }
    }
    return "unknown collective " + code;
  }

  private static String typeName(int code) {
    for (ElementType type : ElementType.values()) {
      if (type.code() == code) {
        return type.label();
      }
    }
    return "elements of unknown type " + code;
  }

  /** The peer does another operation; the message says which. */
  static final class MismatchException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean named;

    /**
     * Makes the exception.
     *
     * @param named whether that is all there is to say
     */
    MismatchException(String peersOperation, boolean named) {
      super(peersOperation);
      this.named = named;
    }

    /** Whether the message says all that the peer does. */
    boolean named() {
      return named;
    }
  }
}
