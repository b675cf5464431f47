package org.sparkcollectives;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.internal.vector.VectorErrors;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Explanation;
import org.sparkcollectives.transport.Transport;
import org.sparkcollectives.vector.ReduceOp;

/**
 * A rank's view of a group of ranks that do collective operations together, as in MPI. All ranks
 * call the same operations in the same order.
 *
 * <p>Values are primitive arrays ({@code double[]}, {@code float[]}, {@code long[]}, {@code
 * int[]}), which are worked on in place and returned, or any objects with an operator made by
 * {@link ReduceOp#ofObjects}, which are shipped by the serializer of the options. Arrays have the
 * same length on all ranks. Results of floating-point operations have the same bits on every rank,
 * and in every run with the same number of ranks in the same places, the same length, algorithm and
 * options, the cost model among them, but for those of a NaN, which is a NaN everywhere.
 *
 * <p>In gather, scatter, allgather, alltoall and reduce_scatter each rank has a part of a vector.
 * Parts are consecutive, in rank order. Where no lengths are given, part i of p begins with element
 * floor(i · n / p) of n, and of as many tuples where the operator works on tuples: they differ by
 * one at most. Lengths that are given may be 0. Vectors are primitive arrays of up to
 * 2<sup>31</sup> - 9 elements. Results are new arrays, which the JVM clears before they are used;
 * {@link #into} writes into an array of the caller's instead. What does not fit is an {@link
 * org.sparkcollectives.error.InvalidInputException}, before any element is sent. Where ranks have
 * told each other lengths by then, it breaks the communicator, so that the others notice.
 *
 * <p>Views of the same communicator do the same operations in another way: {@link #by} with a given
 * algorithm, {@link #objects} on objects, {@link #into} into an array of the caller's. They may be
 * mixed: {@code communicator.by("ring").into(whole).allGather(part)}.
 *
 * <p>{@link #split} and {@link #dup} make communicators of their own over the same connections.
 * Ranks that share two communicators call the operations of both in the same order; those that do
 * not find out, as with two operations of one communicator.
 *
 * <p>A communicator belongs to one thread, and so do all that are made from it: a call while
 * another thread is in an operation is refused, and that operation goes on. After a failure it is
 * broken, with all that share its connections: every further operation says why, and the other
 * ranks see their streams end.
 */
public final class Communicator implements AutoCloseable {
  private final Runner runner;
  private final PartExchange parts;
  private final Values values;
  private final @Nullable String algorithm;

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
    this(runner, new PartExchange(runner), new Values(runner), null);
  }

  private Communicator(
      Runner runner, PartExchange parts, Values values, @Nullable String algorithm) {
    this.runner = runner;
    this.parts = parts;
    this.values = values;
    this.algorithm = algorithm;
  }

  // ---- the group -------------------------------------------------------------------------------

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

  // ---- the operations, in the order of the MPI standard ----------------------------------------

  /** Returns once every rank has called it. */
  public void barrier() {
    runner.run(Collective.BARRIER, Vector.of(new byte[0]), null, 0, algorithm);
  }

  /**
   * Sends the root's array to all ranks, in place.
   *
   * @param array a primitive array, of one length on all ranks
   * @param root the sender's rank
   * @param <V> the array's class
   * @return {@code array}, holding the root's content
   */
  public <V> V broadcast(V array, int root) {
    runner.run(Collective.BROADCAST, values.vector(array), null, root, algorithm);
    return array;
  }

  /**
   * Gives the root the concatenation of all ranks' parts.
   *
   * @param part this rank's part, of one length on all ranks
   * @param root the receiver's rank
   * @param <V> the array's class
   * @return the concatenation of all parts on the root, null elsewhere
   */
  public <V> @Nullable V gather(V part, int root) {
    return Values.arrayOrNull(parts.gather(values.vector(part), null, root, algorithm));
  }

  /**
   * As {@link #gather(Object, int)}, with parts of given lengths, which the root tells the others.
   *
   * @param part this rank's part, of the length given for it
   * @param counts the length of each rank's part on the root, ignored elsewhere
   * @param root the receiver's rank
   * @param <V> the array's class
   * @return the concatenation of all parts on the root, null elsewhere
   */
  public <V> @Nullable V gather(V part, int @Nullable [] counts, int root) {
    return Values.arrayOrNull(parts.gatherByRoot(values.vector(part), counts, root, algorithm));
  }

  /**
   * Gives each rank its part of the root's vector; the other ranks need not know what it is.
   *
   * @param vector the vector on the root, ignored elsewhere
   * @param root the sender's rank
   * @param <V> the array's class
   * @return this rank's part
   */
  public <V> V scatter(@Nullable V vector, int root) {
    return scatter(vector, null, root);
  }

  /**
   * As {@link #scatter(Object, int)}, with parts of given lengths.
   *
   * @param vector the vector on the root, ignored elsewhere
   * @param counts the length of each rank's part on the root, null there for equal ones; ignored
   *     elsewhere
   * @param root the sender's rank
   * @param <V> the array's class
   * @return this rank's part
   */
  public <V> V scatter(@Nullable V vector, int @Nullable [] counts, int root) {
    Vector own = rank() == root && vector != null ? values.vector(vector) : null;
    return Values.array(parts.scatter(own, counts, root, algorithm));
  }

  /**
   * Gives every rank the concatenation of all ranks' parts.
   *
   * @param part this rank's part: of one length on all ranks, or of the length given for it
   * @param counts the length of each rank's part, the same on all ranks; none for parts of one
   *     length
   * @param <V> the array's class
   * @return the concatenation of all parts
   */
  public <V> V allGather(V part, int... counts) {
    return Values.array(parts.allGather(values.vector(part), null, counts, algorithm));
  }

  /**
   * Gives each rank what all ranks have for it. Where lengths are given, the ranks first tell each
   * other those of the parts that arrive.
   *
   * @param values a part for each rank, in rank order; without lengths, of one length on all ranks,
   *     a multiple of their number
   * @param sendCounts the length of the part for each rank; none, on all ranks, for parts of one
   *     length
   * @param <V> the array's class
   * @return what all ranks have for this one, in rank order
   */
  public <V> V allToAll(V values, int... sendCounts) {
    Vector own = this.values.vector(values);
    PartErrors.requireCounts(Collective.ALLTOALL, sendCounts);
    return Values.array(
        sendCounts.length == 0
            ? parts.allToAll(own, null, algorithm)
            : parts.allToAllByCounts(own, sendCounts, algorithm));
  }

  /**
   * Combines all ranks' values, in rank order unless the operator is commutative; the root gets the
   * result.
   *
   * @param value this rank's value; its content is undefined afterwards except on the root
   * @param op the operator
   * @param root the receiver's rank
   * @param <V> the value's class
   * @return the result on the root; elsewhere the value, its content undefined
   */
  public <V> V reduce(V value, ReduceOp<? super V> op, int root) {
    return values.combine(Collective.REDUCE, value, op, root, algorithm);
  }

  /**
   * Combines all ranks' values, in rank order unless the operator is commutative; every rank gets
   * the result.
   *
   * @param value this rank's value
   * @param op the operator
   * @param <V> the value's class
   * @return the result: {@code value} itself for arrays
   */
  public <V> V allReduce(V value, ReduceOp<? super V> op) {
    return values.combine(Collective.ALLREDUCE, value, op, 0, algorithm);
  }

  /**
   * Combines all ranks' vectors, in rank order unless the operator is commutative; each rank gets
   * its own part of the result.
   *
   * @param vector this rank's vector, of one length on all ranks; its content is undefined
   *     afterwards
   * @param op the operator
   * @param counts the length of each rank's part, the same on all ranks; none for parts of nearly
   *     one length
   * @param <V> the array's class
   * @return the combination of all vectors, this rank's part of it
   */
  public <V> V reduceScatter(V vector, ReduceOp<? super V> op, int... counts) {
    FixedVector own = values.operands(vector, op);
    return Values.array(parts.reduceScatter(own, op, null, counts, algorithm));
  }

  /**
   * Gives rank i the combination of the values of ranks 0 to i.
   *
   * @param value this rank's value
   * @param op the operator
   * @param <V> the value's class
   * @return the prefix: {@code value} itself for arrays
   */
  public <V> V scan(V value, ReduceOp<? super V> op) {
    return values.combine(Collective.SCAN, value, op, 0, algorithm);
  }

  /**
   * Gives rank i the combination of the values of ranks 0 to i-1. Rank 0 gets the operator's
   * neutral element; where the operator has none, its value stays as it is.
   *
   * @param value this rank's value
   * @param op the operator
   * @param <V> the value's class
   * @return the prefix: {@code value} itself for arrays
   */
  public <V> V exscan(V value, ReduceOp<? super V> op) {
    V result = values.combine(Collective.EXSCAN, value, op, 0, algorithm);
    return rank() == 0 && op.hasIdentity() ? values.identity(result, op) : result;
  }

  // ---- views -----------------------------------------------------------------------------------

  /**
   * This communicator with a given algorithm: a view, whose operations are operations of this
   * communicator. Closing or aborting it closes or aborts this communicator; it need not be closed.
   *
   * @param slug the algorithm's name, which an operation refuses if it has no such algorithm;
   *     {@code two-trees} for {@code two-tree} or {@code two-tree-of-hosts}, whichever is cheaper;
   *     null for what the {@link org.sparkcollectives.select.Policy} of the options chooses, by
   *     default the cheapest of all
   * @return the view
   */
  public Communicator by(@Nullable String slug) {
    return new Communicator(runner, parts, values, slug);
  }

  /**
   * The operations that ship objects of any class, by this view's algorithm.
   *
   * @return a view of this communicator
   */
  public ObjectCommunicator objects() {
    return new ObjectCommunicator(runner, parts, values, algorithm);
  }

  /**
   * The operations that write their result into an array of the caller's, which may serve many of
   * them, by this view's algorithm.
   *
   * @param result gets the results: any array but the vector given to the operation, of the same
   *     type, and with as many elements as the result; after a failure its content is undefined
   * @param <V> the arrays' class
   * @return a view of this communicator
   */
  public <V> IntoArray<V> into(V result) {
    return new IntoArray<>(runner, parts, values, algorithm, result);
  }

  // ---- communicators over the same connections -------------------------------------------------

  /**
   * Divides the ranks among new communicators, as MPI_Comm_split: those that give the same colour
   * get one of their own. All ranks call it. The new communicator works as this one does, over the
   * same connections, with ranks, {@link #size} and {@link #topology} of its own; an algorithm
   * given by {@link #by} is not its.
   *
   * <p>Closing it leaves the connections open, for the others that use them. If an operation of one
   * of these communicators fails, or one of them is aborted, all of them on this rank are broken.
   * They end with the communicator that they all come from.
   *
   * @param colour which of the new communicators; negative for none
   * @param key orders the ranks of the new communicator; ranks with equal keys keep their order
   * @return the communicator of this rank's colour, null where that is negative
   */
  public @Nullable Communicator split(int colour, int key) {
    long[] wish = {colour, key, runner.nextNumber()};
    long[] wishes = Values.array(parts.allGather(Vector.of(wish), null, PartExchange.EQUAL, null));
    Runner child = runner.split(Split.of(wishes, colour));
    return child == null ? null : new Communicator(child);
  }

  /**
   * A communicator of the same ranks, as MPI_Comm_dup: operations of the two are never taken for
   * each other. All ranks call it. What {@link #split} says of the new communicator holds for it.
   *
   * @return the communicator
   */
  public Communicator dup() {
    Communicator twin = split(0, rank());
    if (twin == null) {
      throw new IllegalStateException("every rank has colour 0");
    }
    return twin;
  }

  // ---- choice, schedules, end ------------------------------------------------------------------

  /**
   * Which algorithm an operation uses, and why.
   *
   * @param collective the operation
   * @param value a vector as the operation would get it, a primitive array: for an allgather or a
   *     gather this rank's part, where all parts have its length
   * @param op the operator, or null where nothing is combined
   * @return the choice beside all other algorithms, for root 0
   */
  public Explanation explain(Collective collective, Object value, @Nullable ReduceOp<?> op) {
    VectorErrors.requireGiven(collective, "collective", "algorithms are chosen for one");
    FixedVector vector = values.vector(value);
    int width = op == null ? 1 : op.width();
    long bytes = vector.byteCount();
    long units = vector.length() / width;
    boolean part = collective.divided() && !collective.reducing() && !collective.fromRoot();
    boolean fromEach = part || collective == Collective.ALLTOALL;
    int all = (int) Math.min(Integer.MAX_VALUE, part ? units * size() : units);
    return runner.explain(collective, op, all, fromEach ? bytes * size() : bytes, algorithm);
  }

  /**
   * Runs schedules of the caller's own; every rank gives its own of one problem. {@link
   * org.sparkcollectives.verify.Verifier} tells whether they are right; wrong ones may wait until
   * the timeout. The last eight schedules stay compiled: who runs one again gives the same object.
   *
   * @param schedule this rank's schedule, of equal blocks
   * @param value a primitive array, of one length on all ranks, worked on in place
   * @param op the operator, or null where nothing is combined; commutative unless the schedule's
   *     problem is ordered
   * @throws org.sparkcollectives.error.InvalidInputException if the schedule is of another rank or
   *     size, or names ranks or blocks that there are not, or the operator does not suit it or the
   *     vector
   */
  public void run(Schedule schedule, Object value, @Nullable ReduceOp<?> op) {
    if (op != null && op.onObjects()) {
      throw VectorErrors.noBlocks(op.name());
    }
    runner.run(schedule, op == null ? values.vector(value) : values.operands(value, op), op);
  }

  /**
   * Breaks the communicator off: tells the listener of its options, then closes its connections, so
   * that the other ranks notice, and thereby breaks all communicators that share them. Does nothing
   * if these are broken, or the one that they all come from is closed.
   *
   * @param reason why
   */
  public void abort(Throwable reason) {
    VectorErrors.requireGiven(reason, "reason", "the listener and the other ranks are told why");
    runner.abort(reason);
  }

  /**
   * Ends the communicator in good order: its connections may serve another one. If it is broken, or
   * in the middle of an operation, they are closed. A communicator made by {@link #split} or {@link
   * #dup} ends alone and leaves the connections as they are. Idempotent.
   */
  @Override
  public void close() {
    runner.close();
  }

  /**
   * How many operations this rank has called in this communicator: what it waits in now is the last
   * of them. Ranks that have called the same have equal numbers. Some calls are several operations,
   * such as those of objects, whose length goes before them. Communicators made by {@link #split}
   * and {@link #dup} have numbers of their own.
   *
   * @return 0 or more
   */
  public long operationsCalled() {
    return runner.called();
  }

  /** What this rank called last, the latest at the end. */
  List<CommunicatorOptions.Call> calls() {
    return runner.calls();
  }
}
