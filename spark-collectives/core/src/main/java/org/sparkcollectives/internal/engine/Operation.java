package org.sparkcollectives.internal.engine;

import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.text.Counted;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Transport;
import org.sparkcollectives.vector.ReduceOp;

/**
 * One collective operation of one rank, under way.
 *
 * @param program what to do
 * @param vector the user's vector, worked on in place; in an alltoall what this rank sends
 * @param incoming what arrives in an alltoall, or null where that is {@code vector} too
 * @param layout where the blocks lie in the two
 * @param op the operator, or null where nothing is combined
 * @param sequence the operation's number, made by {@link #sequence(int, int)}; equal on all ranks
 * @param transport the rank's links
 * @param deadline until when it may take
 * @param cancellation asked at every wait
 */
public record Operation(
    Program program,
    Vector vector,
    @Nullable Vector incoming,
    Layout layout,
    @Nullable ReduceOp<?> op,
    int sequence,
    Transport transport,
    Deadline deadline,
    Cancellation cancellation) {
  private static final int COUNT_BITS = 20;
  private static final int COUNTED = (1 << COUNT_BITS) - 1;

  /** The highest number of a communicator. */
  public static final int LAST_COMMUNICATOR = (1 << (Integer.SIZE - COUNT_BITS)) - 1;

  /**
   * The number of an operation in message headers: it tells the operations of a communicator apart,
   * and the communicators that share links. Counts start again with 0 after 2<sup>20</sup>.
   *
   * @param communicator the communicator's number, 0 to {@link #LAST_COMMUNICATOR}
   * @param count which of its operations this is, from 1
   * @return the number: the communicator's in the upper 12 bits, the count's lower 20 bits
   */
  public static int sequence(int communicator, int count) {
    return (communicator << COUNT_BITS) | (count & COUNTED);
  }

  /**
   * An operation on one vector in blocks of nearly equal length.
   *
   * @param program what to do
   * @param vector the user's vector, worked on in place
   * @param op the operator, or null where nothing is combined
   * @param sequence the operation's number, made by {@link #sequence(int, int)}; equal on all ranks
   * @param transport the rank's links
   * @param deadline until when it may take
   * @param cancellation asked at every wait
   */
  public Operation(
      Program program,
      Vector vector,
      @Nullable ReduceOp<?> op,
      int sequence,
      Transport transport,
      Deadline deadline,
      Cancellation cancellation) {
    this(
        program,
        vector,
        null,
        Layout.even(vector.length(), width(op), program.problem().blocks()),
        op,
        sequence,
        transport,
        deadline,
        cancellation);
  }

  /** The vector in which a block lies that this rank has. */
  Vector vector(int block) {
    return incoming == null || !layout.incoming(block) ? vector : incoming;
  }

  /** Whether no network card lies between this rank and a peer. */
  boolean onOneHost(int peer) {
    return transport.host(peer).equals(transport.host(transport.rank()));
  }

  /** How many consecutive elements make one operand. */
  int width() {
    return width(op);
  }

  private static int width(@Nullable ReduceOp<?> op) {
    return op == null ? 1 : op.width();
  }

  /**
   * The size of the whole vector.
   *
   * @return bytes; 0 for objects, whose size nobody knows before they are sent
   */
  public long bytes() {
    return (long) layout.elements() * vector.type().bytes();
  }

  /** What this is, for messages, such as {@code allreduce #4 of 10 double (two-tree)}. */
  String describe() {
    return describe(
            program.problem().collective().slug(),
            sequence,
            layout.elements(),
            vector.type().label())
        + " ("
        + program.algorithm()
        + ")";
  }

  /**
   * What was called, without the vector.
   *
   * @return all that ranks must agree on
   */
  public Called called() {
    return new Called(
        program,
        op,
        sequence,
        layout.elements(),
        layout.common(),
        vector.type().label(),
        layout.fingerprint());
  }

  /**
   * What a rank has called, to be compared with what others have.
   *
   * @param program what is done
   * @param op the operator, or null where nothing is combined
   * @param sequence the operation's number, made by {@link #sequence(int, int)}
   * @param elements elements of the whole vector
   * @param common whether these are the same on all ranks
   * @param type the elements' type
   * @param parts the fingerprint of given lengths of parts
   */
  public record Called(
      Program program,
      @Nullable ReduceOp<?> op,
      int sequence,
      int elements,
      boolean common,
      String type,
      int parts) {

    /**
     * A number that is the same for ranks that called the same, in every process.
     *
     * @return the number, most likely another one for ranks that called something else
     */
    public int fingerprint() {
      Problem problem = program.problem();
      int hash = 31 * problem.collective().code() + program.algorithm().hashCode();
      hash = 31 * hash + type.hashCode();
      hash = 31 * hash + (common ? elements : 0);
      hash = 31 * hash + problem.blocks();
      hash = 31 * hash + problem.root();
      hash = 31 * hash + Boolean.hashCode(problem.ordered());
      hash = 31 * hash + (op == null ? "" : op.name()).hashCode();
      hash = 31 * hash + width(op);
      return 31 * hash + parts;
    }

    /**
     * What was called, for messages.
     *
     * @return such as {@code reduce #4 of 10 double, root 2 (two-tree, 3 blocks, operator 'sum')}
     */
    public String describe() {
      Problem problem = program.problem();
      StringBuilder text =
          new StringBuilder(
              Operation.describe(problem.collective().slug(), sequence, elements, type));
      if (problem.collective().rooted()) {
        text.append(", root ").append(problem.root());
      }
      text.append(" (").append(program.algorithm()).append(", ");
      text.append(Counted.of(problem.blocks(), "block"));
      if (op != null) {
        text.append(", operator '").append(op.name()).append('\'');
      }
      return text.append(')').toString();
    }
  }

  /** Who this rank is, for messages. */
  String where() {
    return transport.describe(transport.rank());
  }

  static String describe(String collective, int sequence, long elements, String type) {
    int communicator = sequence >>> COUNT_BITS;
    return collective
        + " #"
        + (sequence & COUNTED)
        + " of "
        + elements
        + " "
        + type
        + (collective.equals(Collective.ALLGATHER.slug()) ? " in all" : "") // a rank gives a part
        + (communicator == 0 ? "" : " in communicator " + communicator);
  }
}
