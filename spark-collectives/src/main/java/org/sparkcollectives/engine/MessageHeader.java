package org.sparkcollectives.engine;

import java.nio.ByteBuffer;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.vector.ElementType;

/**
 * The header before every message's payload, little-endian. It repeats what both ends must agree
 * on, so that ranks that do different things find out at the first message.
 *
 * <pre>
 *  offset  bytes  field
 *       0      4  payload bytes
 *       4      4  sequence number of the operation in the communicator
 *       8      4  round
 *      12      1  collective (its code)
 *      13      1  element type (its code)
 *      14      2  low 16 bits of the hash of the algorithm's slug
 *      16      8  elements of the whole vector
 *      24      4  blocks
 *      28      4  root
 * </pre>
 */
final class MessageHeader {
  static final int BYTES = 32;

  private MessageHeader() {}

  static void write(ByteBuffer target, Operation operation, int round, int payloadBytes) {
    Problem problem = operation.program().problem();
    target
        .putInt(payloadBytes)
        .putInt(operation.sequence())
        .putInt(round)
        .put((byte) problem.collective().code())
        .put((byte) operation.vector().type().code())
        .putShort((short) operation.program().algorithm().hashCode())
        .putLong(operation.vector().length())
        .putInt(problem.blocks())
        .putInt(problem.root());
  }

  /**
   * Reads a header and compares it with what this rank does.
   *
   * @return the payload's bytes
   * @throws MismatchException if the peer does something else
   */
  static int read(ByteBuffer source, Operation operation, int round) throws MismatchException {
    final int payloadBytes = source.getInt();
    final int sequence = source.getInt();
    final int peerRound = source.getInt();
    final int collective = source.get();
    final int type = source.get();
    final short algorithm = source.getShort();
    final long elements = source.getLong();
    final int blocks = source.getInt();
    final int root = source.getInt();
    Problem problem = operation.program().problem();
    boolean same =
        sequence == operation.sequence()
            && collective == problem.collective().code()
            && type == operation.vector().type().code()
            && elements == operation.vector().length()
            && root == problem.root();
    if (!same) {
      String what =
          Operation.describe(collectiveName(collective), sequence, elements, typeName(type));
      throw new MismatchException(problem.collective().rooted() ? what + ", root " + root : what);
    }
    boolean sameSchedule =
        algorithm == (short) operation.program().algorithm().hashCode()
            && blocks == problem.blocks()
            && peerRound == round
            && payloadBytes >= 0;
    if (!sameSchedule) {
      throw new MismatchException(
          "the same operation by another schedule ("
              + blocks
              + " blocks, round "
              + peerRound
              + ")");
    }
    return payloadBytes;
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

    MismatchException(String peersOperation) {
      super(peersOperation);
    }
  }
}
