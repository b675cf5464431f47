package org.sparkcollectives;

import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.Errors;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Explanation;
import org.sparkcollectives.transport.Transport;
import org.sparkcollectives.vector.FixedVector;
import org.sparkcollectives.vector.ObjectVector;
import org.sparkcollectives.vector.ReduceOp;
import org.sparkcollectives.vector.Vector;

/**
 * A rank's view of a group of ranks that do collective operations together, as in MPI. All ranks
 * call the same operations in the same order.
 *
 * <p>Values are primitive arrays ({@code double[]}, {@code float[]}, {@code long[]}, {@code
 * int[]}), which are worked on in place and returned, or any objects with an operator made by
 * {@link ReduceOp#ofObjects}, which are shipped by the serializer of the options. Arrays have the
 * same length on all ranks. Results of floating-point operations have the same bits on every rank,
 * and in every run with the same number of ranks in the same places, the same length and algorithm.
 *
 * <p>A communicator belongs to one thread. After a failure it is broken: every further operation
 * says why, and the other ranks see their streams end.
 */
public final class Communicator extends DividedOperations implements AutoCloseable {
  /**
   * A communicator over a transport, which it closes at its end.
   *
   * @param transport this rank's links
   * @param options how to work, equal on all ranks
   */
  public Communicator(Transport transport, CommunicatorOptions options) {
    this(new Runner(transport, options));
  }

  private Communicator(Runner runner) {
    super(runner);
  }

  /**
   * This rank.
   *
   * @return 0 to {@code size() - 1}
   */
  public int rank() {
    return runner.rank();
  }

  /**
   * The number of ranks.
   *
   * @return 1 or more
   */
  public int size() {
    return runner.size();
  }

  /**
   * Which ranks share a host, and which of them a process.
   *
   * @return the topology that algorithms are chosen for
   */
  public Topology topology() {
    return runner.topology();
  }

  /**
   * Sends the root's array to all ranks, in place.
   *
   * @param array a primitive array, of one length on all ranks
   * @param root the sender's rank
   * @param <V> the array's type
   * @return {@code array}, holding the root's content
   */
  public <V> V broadcast(V array, int root) {
    return broadcast(array, root, null);
  }

  /**
   * As {@link #broadcast(Object, int)}, by a given algorithm.
   *
   * @param array a primitive array, of one length on all ranks
   * @param root the sender's rank
   * @param algorithm its slug, or null for the cheapest
   * @param <V> the array's type
   * @return {@code array}, holding the root's content
   */
  public <V> V broadcast(V array, int root, @Nullable String algorithm) {
    Errors.requireValue(array, () -> "the vector of rank " + rank());
    runner.run(Collective.BROADCAST, Vector.of(array), null, root, algorithm);
    return array;
  }

  /**
   * Sends any object of the root to all ranks; the others need not know what it is.
   *
   * @param value the object on the root, ignored elsewhere
   * @param root the sender's rank
   * @param <T> the object's class
   * @return the root's own object there, an equal one elsewhere
   */
  public <T> T broadcastObject(@Nullable T value, int root) {
    return broadcastObject(value, root, null);
  }

  /**
   * As {@link #broadcastObject(Object, int)}, by a given algorithm.
   *
   * @param value the object on the root, ignored elsewhere
   * @param root the sender's rank
   * @param algorithm its slug, or null for the cheapest
   * @param <T> the object's class
   * @return the root's own object there, an equal one elsewhere
   */
  @SuppressWarnings("unchecked")
  public <T> T broadcastObject(@Nullable T value, int root, @Nullable String algorithm) {
    if (rank() == root) {
      if (value == null) {
        throw Errors.nullValue("the object that root " + root + " broadcasts");
      }
      Payload payload = Payload.of(value, runner.codec());
      runner.run(Collective.BROADCAST, Vector.of(payload.shape()), null, root, null);
      runner.run(Collective.BROADCAST, Vector.of(payload.array()), null, root, algorithm);
      return value;
    }
    long[] shape = new long[2];
    runner.run(Collective.BROADCAST, Vector.of(shape), null, root, null);
    Payload payload = Payload.ofShape(shape);
    runner.run(Collective.BROADCAST, Vector.of(payload.array()), null, root, algorithm);
    return (T) payload.value(runner.codec());
  }

  /**
   * Combines all ranks' values in rank order; the root gets the result.
   *
   * @param value this rank's value; its content is undefined afterwards except on the root
   * @param op the operator
   * @param root the receiver's rank
   * @param <V> the value's type
   * @return the result on the root; elsewhere the value, its content undefined
   */
  public <V> V reduce(V value, ReduceOp<? super V> op, int root) {
    return reduce(value, op, root, null);
  }

  /**
   * As {@link #reduce(Object, ReduceOp, int)}, by a given algorithm.
   *
   * @param value this rank's value; its content is undefined afterwards except on the root
   * @param op the operator
   * @param root the receiver's rank
   * @param algorithm its slug, or null for the cheapest
   * @param <V> the value's type
   * @return the result on the root; elsewhere the value, its content undefined
   */
  public <V> V reduce(V value, ReduceOp<? super V> op, int root, @Nullable String algorithm) {
    return combine(Collective.REDUCE, value, op, root, algorithm);
  }

  /**
   * Combines all ranks' values in rank order; every rank gets the result.
   *
   * @param value this rank's value
   * @param op the operator
   * @param <V> the value's type
   * @return the result: {@code value} itself for arrays
   */
  public <V> V allReduce(V value, ReduceOp<? super V> op) {
    return allReduce(value, op, null);
  }

  /**
   * As {@link #allReduce(Object, ReduceOp)}, by a given algorithm.
   *
   * @param value this rank's value
   * @param op the operator
   * @param algorithm its slug, or null for the cheapest
   * @param <V> the value's type
   * @return the result: {@code value} itself for arrays
   */
  public <V> V allReduce(V value, ReduceOp<? super V> op, @Nullable String algorithm) {
    return combine(Collective.ALLREDUCE, value, op, 0, algorithm);
  }

  /**
   * Gives rank i the combination of the values of ranks 0 to i.
   *
   * @param value this rank's value
   * @param op the operator
   * @param <V> the value's type
   * @return the prefix: {@code value} itself for arrays
   */
  public <V> V scan(V value, ReduceOp<? super V> op) {
    return scan(value, op, null);
  }

  /**
   * As {@link #scan(Object, ReduceOp)}, by a given algorithm.
   *
   * @param value this rank's value
   * @param op the operator
   * @param algorithm its slug, or null for the cheapest
   * @param <V> the value's type
   * @return the prefix: {@code value} itself for arrays
   */
  public <V> V scan(V value, ReduceOp<? super V> op, @Nullable String algorithm) {
    return combine(Collective.SCAN, value, op, 0, algorithm);
  }

  /**
   * Gives rank i the combination of the values of ranks 0 to i-1. Rank 0 gets the operator's
   * neutral element; where the operator has none, its value stays as it is.
   *
   * @param value this rank's value
   * @param op the operator
   * @param <V> the value's type
   * @return the prefix: {@code value} itself for arrays
   */
  public <V> V exscan(V value, ReduceOp<? super V> op) {
    return exscan(value, op, null);
  }

  /**
   * As {@link #exscan(Object, ReduceOp)}, by a given algorithm.
   *
   * @param value this rank's value
   * @param op the operator
   * @param algorithm its slug, or null for the cheapest
   * @param <V> the value's type
   * @return the prefix: {@code value} itself for arrays
   */
  @SuppressWarnings({"unchecked", "SuspiciousSystemArraycopy"})
  public <V> V exscan(V value, ReduceOp<? super V> op, @Nullable String algorithm) {
    V result = combine(Collective.EXSCAN, value, op, 0, algorithm);
    Object identity = rank() == 0 ? op.identityLike(result) : null;
    if (identity == null) {
      return result;
    }
    if (op.onObjects()) {
      return (V) identity;
    }
    System.arraycopy(identity, 0, result, 0, java.lang.reflect.Array.getLength(result));
    return result;
  }

  /**
   * Which algorithm an operation without a named one uses, and why.
   *
   * @param collective the operation
   * @param value a vector as the operation would get it, a primitive array: for an allgather or a
   *     gather this rank's part, where all parts have its length
   * @param op the operator, or null where nothing is combined
   * @return the choice beside all other algorithms, for root 0
   */
  public Explanation explain(Collective collective, Object value, @Nullable ReduceOp<?> op) {
    FixedVector vector = Vector.of(value);
    int width = op == null ? 1 : op.width();
    long bytes = (long) vector.length() * vector.type().bytes();
    long units = vector.length() / width;
    boolean part = collective == Collective.ALLGATHER || collective == Collective.GATHER;
    boolean fromEach = part || collective == Collective.ALLTOALL;
    int all = (int) Math.min(Integer.MAX_VALUE, part ? units * size() : units);
    return runner.explain(collective, op, 0, all, fromEach ? bytes * size() : bytes);
  }

  /**
   * Runs schedules of the caller's own; every rank gives its own of one problem. {@link
   * org.sparkcollectives.verify.Verifier} tells whether they are right; wrong ones may wait until
   * the timeout.
   *
   * @param schedule this rank's schedule, of equal blocks
   * @param value a primitive array, of one length on all ranks, worked on in place
   * @param op the operator, or null where nothing is combined
   */
  public void run(Schedule schedule, Object value, @Nullable ReduceOp<?> op) {
    Errors.requireValue(value, () -> "the vector of rank " + rank());
    runner.run(schedule, Vector.of(value), op);
  }

  /** Returns once every rank has called it. */
  public void barrier() {
    barrier(null);
  }

  /**
   * As {@link #barrier()}, by a given algorithm.
   *
   * @param algorithm its slug, or null for the cheapest
   */
  public void barrier(@Nullable String algorithm) {
    runner.run(Collective.BARRIER, Vector.of(new byte[0]), null, 0, algorithm);
  }

  /**
   * Ends the communicator in good order: its connections may serve another one. If it is broken,
   * they are closed. Idempotent.
   */
  @Override
  public void close() {
    runner.close();
  }

  /**
   * Breaks the communicator off: closes its connections, so that the other ranks notice.
   *
   * @param reason why
   */
  public void abort(Throwable reason) {
    runner.abort(reason);
  }

  @SuppressWarnings("unchecked")
  private <V> V combine(
      Collective collective, V value, ReduceOp<? super V> op, int root, @Nullable String slug) {
    Errors.requireValue(value, () -> "the vector of rank " + rank());
    if (op.onObjects()) {
      ObjectVector one = new ObjectVector(new Object[] {value}, runner.codec());
      runner.run(collective, one, op, root, slug);
      return (V) one.get(0);
    }
    if (!Vector.isPrimitiveArray(value)) {
      throw Errors.operatorType(op.name(), op.accepts(), value.getClass().getTypeName());
    }
    FixedVector vector = Vector.of(value);
    if (!op.accepts(vector.type())) {
      throw Errors.operatorType(op.name(), op.accepts(), vector.type().label() + "[]");
    }
    if (vector.length() % op.width() != 0) {
      throw Errors.notWholeTuples(op.name(), op.width(), vector.length());
    }
    runner.run(collective, vector, op, root, slug);
    return value;
  }
}
