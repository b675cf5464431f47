package org.sparkcollectives;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.engine.Layout;
import org.sparkcollectives.internal.vector.ObjectVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.internal.vector.VectorErrors;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.vector.ReduceOp;

/**
 * The operations of a {@link Communicator} that ship objects of any class, by the serializer of its
 * options. Objects need not be of one size. A view: its operations are operations of the
 * communicator, and end with it.
 */
public final class ObjectCommunicator {
  private final Runner runner;
  private final PartExchange parts;
  private final Values values;
  private final @Nullable String algorithm;

  ObjectCommunicator(Runner runner, PartExchange parts, Values values, @Nullable String algorithm) {
    this.runner = runner;
    this.parts = parts;
    this.values = values;
    this.algorithm = algorithm;
  }

  /**
   * Sends any object of the root to all ranks; the others need not know what it is.
   *
   * @param value the object on the root, ignored elsewhere
   * @param root the sender's rank
   * @param <T> the object's class
   * @return the root's own object there, an equal one elsewhere
   */
  @SuppressWarnings("unchecked")
  public <T> T broadcast(@Nullable T value, int root) {
    if (runner.rank() == root) {
      if (value == null) {
        throw VectorErrors.nullValue("the object that root " + root + " broadcasts");
      }
      Payload payload = Payload.of(value, runner.codec());
      runner.run(Collective.BROADCAST, Vector.of(payload.shape()), null, root, null);
      runner.run(Collective.BROADCAST, Vector.of(payload.array()), null, root, algorithm);
      return value;
    }
    long[] shape = new long[2];
    runner.run(Collective.BROADCAST, Vector.of(shape), null, root, null);
    Payload payload = Payload.ofShape(shape);
    if (payload == null) {
      throw runner.refuse(VectorErrors.noShape(root, shape[0], shape[1]));
    }
    runner.run(Collective.BROADCAST, Vector.of(payload.array()), null, root, algorithm);
    return (T) payload.value(runner.codec());
  }

  /**
   * Gives the root all ranks' objects.
   *
   * @param value this rank's object
   * @param root the receiver's rank
   * @param <T> the objects' class
   * @return all ranks' objects in rank order on the root, null elsewhere
   */
  public <T> @Nullable List<T> gather(T value, int root) {
    Vector all = parts.gather(values.one(value), null, root, algorithm);
    return all == null ? null : Values.list(all);
  }

  /**
   * Gives each rank the root's object for it.
   *
   * @param objects an object for each rank on the root, ignored elsewhere
   * @param root the sender's rank
   * @param <T> the objects' class
   * @return the root's object for this rank
   */
  public <T> T scatter(@Nullable List<T> objects, int root) {
    boolean sends = runner.rank() == root;
    if (sends) {
      VectorErrors.requireValue(objects, () -> "the list that root " + root + " scatters");
    }
    Vector own = sends && objects != null ? values.objects(Collective.SCATTER, objects) : null;
    Layout layout = Layout.even(runner.size(), 1, runner.size());
    ObjectVector like = new ObjectVector(new Object[0], runner.codec());
    return Values.object(parts.scatter(own, like, layout, root, algorithm), 0);
  }

  /**
   * Gives every rank all ranks' objects.
   *
   * @param value this rank's object
   * @param <T> the objects' class
   * @return all ranks' objects, in rank order
   */
  public <T> List<T> allGather(T value) {
    return Values.list(parts.allGather(values.one(value), null, PartExchange.EQUAL, algorithm));
  }

  /**
   * Gives each rank the objects that all ranks have for it.
   *
   * @param objects an object for each rank, in rank order
   * @param <T> the objects' class
   * @return what all ranks have for this one, in rank order
   */
  public <T> List<T> allToAll(List<T> objects) {
    Vector own = values.objects(Collective.ALLTOALL, objects);
    return Values.list(parts.allToAll(own, null, algorithm));
  }

  /**
   * Combines, in rank order, what all ranks have for each rank.
   *
   * @param objects an object for each rank, in rank order; their content is undefined afterwards
   * @param op the operator, made by {@link ReduceOp#ofObjects}
   * @param <T> the objects' class
   * @return the combination of all ranks' objects for this one
   */
  public <T> T reduceScatter(List<T> objects, ReduceOp<? super T> op) {
    VectorErrors.requireOperator(op);
    op.requireOnObjects();
    ObjectVector own = values.objects(Collective.REDUCE_SCATTER, objects);
    return Values.object(parts.reduceScatter(own, op, null, PartExchange.EQUAL, algorithm), 0);
  }
}
