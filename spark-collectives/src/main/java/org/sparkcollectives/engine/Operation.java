package org.sparkcollectives.engine;

import org.jspecify.annotations.Nullable;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Transport;
import org.sparkcollectives.vector.ReduceOp;
import org.sparkcollectives.vector.Vector;

/**
 * One collective operation of one rank, under way.
 *
 * @param program what to do
 * @param vector the user's vector, worked on in place
 * @param op the operator, or null where nothing is combined
 * @param sequence the operation's number in its communicator, from 1; equal on all ranks
 * @param transport the rank's links
 * @param deadline until when it may take
 * @param cancellation asked at every wait
 */
public record Operation(
    Program program,
    Vector vector,
    @Nullable ReduceOp<?> op,
    int sequence,
    Transport transport,
    Deadline deadline,
    Cancellation cancellation) {

  /** Index of the first element of a block; {@code block} may be the number of blocks. */
  int start(int block) {
    return start(block, vector.length(), width(), program.problem().blocks());
  }

  /** The longest block's number of elements. */
  int longestBlock() {
    return longestBlock(vector.length(), width(), program.problem().blocks());
  }

  /** How many consecutive elements make one operand. */
  int width() {
    return op == null ? 1 : op.width();
  }

  static int start(int block, int length, int width, int blocks) {
    return (int) ((long) (length / width) * block / blocks) * width;
  }

  static int longestBlock(int length, int width, int blocks) {
    return (int) (((long) (length / width) + blocks - 1) / blocks) * width;
  }

  /** What this is, for messages, such as {@code allreduce #4 of 10 double (two-tree)}. */
  String describe() {
    return describe(
            program.problem().collective().slug(), sequence, vector.length(), vector.type().label())
        + " ("
        + program.algorithm()
        + ")";
  }

  /** Who this rank is, for messages. */
  String where() {
    return transport.describe(transport.rank());
  }

  static String describe(String collective, int sequence, long elements, String type) {
    return collective + " #" + sequence + " of " + elements + " " + type;
  }
}
