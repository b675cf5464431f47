package org.sparkcollectives;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.engine.Engine;
import org.sparkcollectives.engine.Operation;
import org.sparkcollectives.engine.Program;
import org.sparkcollectives.error.Errors;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.select.Choice;
import org.sparkcollectives.select.Selector;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Transport;
import org.sparkcollectives.vector.FixedVector;
import org.sparkcollectives.vector.ObjectCodec;
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
 * same length on all ranks. Results of floating-point operations have the same bits on every rank
 * and in every run with the same number of ranks, length and algorithm.
 *
 * <p>A communicator belongs to one thread. After a failure it is broken: every further operation
 * says why, and the other ranks see their streams end.
 */
public final class Communicator implements AutoCloseable {
  private static final int CACHED_PROGRAMS = 32;

  private final Transport transport;
  private final CommunicatorOptions options;
  private final Selector selector;
  private final ObjectCodec codec;
  private final Engine engine = new Engine();
  private final Map<Key, Program> programs =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Program> eldest) {
          return size() > CACHED_PROGRAMS;
        }
      };
  private int sequence;
  private @Nullable Throwable broken;
  private boolean closed;

  private record Key(String algorithm, Problem problem) {}

  /**
   * A communicator over a transport, which it closes at its end.
   *
   * @param transport this rank's links
   * @param options how to work, equal on all ranks
   */
  public Communicator(Transport transport, CommunicatorOptions options) {
    this.transport = transport;
    this.options = options;
    this.selector = new Selector(options.model());
    this.codec = options.codec().get();
  }

  /**
   * This rank.
   *
   * @return 0 to {@code size() - 1}
   */
  public int rank() {
    return transport.rank();
  }

  /**
   * The number of ranks.
   *
   * @return 1 or more
   */
  public int size() {
    return transport.size();
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
    run(Collective.BROADCAST, Vector.of(array), null, root, algorithm);
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
      Payload payload = Payload.of(value, codec);
      run(Collective.BROADCAST, Vector.of(payload.shape()), null, root, null);
      run(Collective.BROADCAST, Vector.of(payload.array()), null, root, algorithm);
      return value;
    }
    long[] shape = new long[2];
    run(Collective.BROADCAST, Vector.of(shape), null, root, null);
    Payload payload = Payload.ofShape(shape);
    run(Collective.BROADCAST, Vector.of(payload.array()), null, root, algorithm);
    return (T) payload.value(codec);
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

  /** Returns once every rank has called it. */
  public void barrier() {
    run(Collective.BARRIER, Vector.of(new byte[0]), null, 0, null);
  }

  /**
   * Ends the communicator in good order: its connections may serve another one. If it is broken,
   * they are closed. Idempotent.
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (broken == null) {
      transport.release();
    } else {
      transport.close();
    }
  }

  /**
   * Breaks the communicator off: closes its connections, so that the other ranks notice.
   *
   * @param reason why
   */
  public void abort(Throwable reason) {
    if (broken == null) {
      broken = reason;
    }
    closed = true;
    transport.close();
  }

  // ---- running
  // -----------------------------------------------------------------------------------

  @SuppressWarnings("unchecked")
  private <V> V combine(
      Collective collective, V value, ReduceOp<? super V> op, int root, @Nullable String slug) {
    Errors.requireValue(value, () -> "the vector of rank " + rank());
    if (op.onObjects()) {
      ObjectVector one = new ObjectVector(new Object[] {value}, codec);
      run(collective, one, op, root, slug);
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
    run(collective, vector, op, root, slug);
    return value;
  }

  private void run(
      Collective collective,
      Vector vector,
      @Nullable ReduceOp<?> op,
      int root,
      @Nullable String slug) {
    if (broken != null || closed) {
      throw Errors.communicatorEnded(collective.slug(), broken);
    }
    if (root < 0 || root >= size()) {
      throw Errors.rootOutOfRange(collective.slug(), root, size());
    }
    Program program = program(collective, vector, op, root, slug);
    sequence++;
    try {
      @Nullable RuntimeException stop = options.cancellation().reason();
      if (stop != null) {
        throw stop; // operations that never wait would not ask
      }
      engine.run(
          new Operation(
              program,
              vector,
              op,
              sequence,
              transport,
              Deadline.after(options.timeout()),
              options.cancellation()));
    } catch (RuntimeException | Error e) {
      fail(e);
      throw e;
    }
  }

  /** Tells the listener, which may take its time, and only then lets the other ranks notice. */
  private void fail(Throwable reason) {
    try {
      options.onFailure().accept(reason);
    } catch (RuntimeException e) {
      reason.addSuppressed(e);
    } finally {
      abort(reason);
    }
  }

  private Program program(
      Collective collective,
      Vector vector,
      @Nullable ReduceOp<?> op,
      int root,
      @Nullable String slug) {
    int width = op == null ? 1 : op.width();
    Selector.Request request =
        new Selector.Request(
            collective,
            size(),
            root,
            op != null && !op.commutative(),
            vector.length() / width,
            (long) vector.length() * vector.type().bytes(),
            op == null ? null : op.name());
    String wanted = slug == null ? options.algorithms().get(collective) : slug;
    Choice choice = wanted == null ? selector.choose(request) : selector.choose(request, wanted);
    return programs.computeIfAbsent(
        new Key(choice.algorithm().slug(), choice.problem()),
        key -> Program.compile(choice.algorithm().schedule(key.problem(), rank())));
  }
}
