package org.sparkcollectives;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.engine.Layout;
import org.sparkcollectives.error.Errors;
import org.sparkcollectives.error.PartErrors;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.vector.ObjectVector;
import org.sparkcollectives.vector.ReduceOp;
import org.sparkcollectives.vector.Vector;

/**
 * The operations of a {@link Communicator} in which each rank has a part of a vector. Parts are
 * consecutive, in rank order. Where no lengths are given, they differ by one element at most, or by
 * one tuple where the operator works on tuples; lengths that are given may be 0.
 *
 * <p>Vectors are primitive arrays of up to 2<sup>31</sup> - 9 elements. Results are new arrays.
 * What does not fit is an {@link org.sparkcollectives.error.InvalidInputException}, before any
 * element is sent. Where ranks have told each other lengths by then, it breaks the communicator, so
 * that the others notice.
 */
public abstract sealed class DividedOperations permits Communicator {
  private final Runner runner;
  private final PartExchange parts;

  DividedOperations(Runner runner) {
    this.runner = runner;
    this.parts = new PartExchange(runner);
  }

  /**
   * Combines all ranks' vectors in rank order; each rank gets its own part of the result.
   *
   * @param vector this rank's vector, of one length on all ranks; its content is undefined
   *     afterwards
   * @param op the operator
   * @param <V> the array's class
   * @return the combination of all vectors, this rank's part of it
   */
  public <V> V reduceScatter(V vector, ReduceOp<? super V> op) {
    return reduceScatter(vector, op, null, null);
  }

  /**
   * As {@link #reduceScatter(Object, ReduceOp)}, with parts of given lengths.
   *
   * @param vector this rank's vector, of one length on all ranks; its content is undefined
   *     afterwards
   * @param op the operator
   * @param counts the length of each rank's part, the same on all ranks
   * @param <V> the array's class
   * @return the combination of all vectors, this rank's part of it
   */
  public <V> V reduceScatter(V vector, ReduceOp<? super V> op, int[] counts) {
    return reduceScatter(vector, op, counts, null);
  }

  /**
   * As {@link #reduceScatter(Object, ReduceOp)}, by a given algorithm.
   *
   * @param vector this rank's vector, of one length on all ranks; its content is undefined
   *     afterwards
   * @param op the operator
   * @param counts the length of each rank's part, the same on all ranks; null for equal ones
   * @param algorithm its slug, or null for the cheapest
   * @param <V> the array's class
   * @return the combination of all vectors, this rank's part of it
   */
  public <V> V reduceScatter(
      V vector, ReduceOp<? super V> op, int @Nullable [] counts, @Nullable String algorithm) {
    if (op.onObjects()) {
      throw PartErrors.wholeObjects(op.name());
    }
    Vector own = vector(vector);
    if (!op.accepts(own.type())) {
      throw Errors.operatorType(op.name(), op.accepts(), own.type().label() + "[]");
    }
    return array(parts.reduceScatter(own, op, counts, algorithm));
  }

  /**
   * Combines, in rank order, what all ranks have for each rank.
   *
   * @param values an object for each rank, in rank order; their content is undefined afterwards
   * @param op the operator
   * @param <T> the objects' class
   * @return the combination of all ranks' objects for this one
   */
  public <T> T reduceScatterObjects(List<T> values, ReduceOp<? super T> op) {
    return reduceScatterObjects(values, op, null);
  }

  /**
   * As {@link #reduceScatterObjects(List, ReduceOp)}, by a given algorithm.
   *
   * @param values an object for each rank, in rank order; their content is undefined afterwards
   * @param op the operator, made by {@link ReduceOp#ofObjects}
   * @param algorithm its slug, or null for the cheapest
   * @param <T> the objects' class
   * @return the combination of all ranks' objects for this one
   */
  public <T> T reduceScatterObjects(
      List<T> values, ReduceOp<? super T> op, @Nullable String algorithm) {
    if (!op.onObjects()) {
      throw Errors.operatorType(op.name(), op.accepts(), "objects");
    }
    ObjectVector own = objects(Collective.REDUCE_SCATTER, values);
    return object(parts.reduceScatter(own, op, null, algorithm), 0);
  }

  /**
   * Gives every rank the concatenation of all ranks' parts.
   *
   * @param part this rank's part, of one length on all ranks
   * @param <V> the array's class
   * @return the concatenation of all parts
   */
  public <V> V allGather(V part) {
    return allGather(part, null, null);
  }

  /**
   * As {@link #allGather(Object)}, with parts of given lengths.
   *
   * @param part this rank's part, of the length given for it
   * @param counts the length of each rank's part, the same on all ranks
   * @param <V> the array's class
   * @return the concatenation of all parts
   */
  public <V> V allGather(V part, int[] counts) {
    return allGather(part, counts, null);
  }

  /**
   * As {@link #allGather(Object)}, by a given algorithm.
   *
   * @param part this rank's part
   * @param counts the length of each rank's part, the same on all ranks; null for equal ones
   * @param algorithm its slug, or null for the cheapest
   * @param <V> the array's class
   * @return the concatenation of all parts
   */
  public <V> V allGather(V part, int @Nullable [] counts, @Nullable String algorithm) {
    return array(parts.allGather(vector(part), counts, algorithm));
  }

  /**
   * Gives every rank all ranks' objects.
   *
   * @param value this rank's object
   * @param <T> the objects' class
   * @return all ranks' objects, in rank order
   */
  public <T> List<T> allGatherObjects(T value) {
    return allGatherObjects(value, null);
  }

  /**
   * As {@link #allGatherObjects(Object)}, by a given algorithm.
   *
   * @param value this rank's object
   * @param algorithm its slug, or null for the cheapest
   * @param <T> the objects' class
   * @return all ranks' objects, in rank order
   */
  public <T> List<T> allGatherObjects(T value, @Nullable String algorithm) {
    return list(parts.allGather(one(value), null, algorithm));
  }

  /**
   * Gives each rank what all ranks have for it. All parts have one length.
   *
   * @param values a part for each rank, in rank order; of one length on all ranks, a multiple of
   *     their number
   * @param <V> the array's class
   * @return what all ranks have for this one, in rank order
   */
  public <V> V allToAll(V values) {
    return allToAll(values, null, null);
  }

  /**
   * As {@link #allToAll(Object)}, with parts of given lengths; those of the parts that arrive the
   * ranks tell each other first.
   *
   * @param values a part for each rank, in rank order
   * @param sendCounts the length of the part for each rank
   * @param <V> the array's class
   * @return what all ranks have for this one, in rank order
   */
  public <V> V allToAll(V values, int[] sendCounts) {
    return allToAll(values, sendCounts, null);
  }

  /**
   * As {@link #allToAll(Object, int[])}, by a given algorithm.
   *
   * @param values a part for each rank, in rank order
   * @param sendCounts the length of the part for each rank; null, on all ranks, for equal ones
   * @param algorithm its slug, or null for the cheapest
   * @param <V> the array's class
   * @return what all ranks have for this one, in rank order
   */
  public <V> V allToAll(V values, int @Nullable [] sendCounts, @Nullable String algorithm) {
    Vector own = vector(values);
    return array(
        sendCounts == null
            ? parts.allToAll(own, algorithm)
            : parts.allToAll(own, sendCounts, algorithm));
  }

  /**
   * Gives each rank the objects that all ranks have for it.
   *
   * @param values an object for each rank, in rank order
   * @param <T> the objects' class
   * @return what all ranks have for this one, in rank order
   */
  public <T> List<T> allToAllObjects(List<T> values) {
    return allToAllObjects(values, null);
  }

  /**
   * As {@link #allToAllObjects(List)}, by a given algorithm.
   *
   * @param values an object for each rank, in rank order
   * @param algorithm its slug, or null for the cheapest
   * @param <T> the objects' class
   * @return what all ranks have for this one, in rank order
   */
  public <T> List<T> allToAllObjects(List<T> values, @Nullable String algorithm) {
    return list(parts.allToAll(objects(Collective.ALLTOALL, values), algorithm));
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
    return scatter(vector, null, root, null);
  }

  /**
   * As {@link #scatter(Object, int)}, with parts of given lengths.
   *
   * @param vector the vector on the root, ignored elsewhere
   * @param counts the length of each rank's part on the root, ignored elsewhere
   * @param root the sender's rank
   * @param <V> the array's class
   * @return this rank's part
   */
  public <V> V scatter(@Nullable V vector, int @Nullable [] counts, int root) {
    return scatter(vector, counts, root, null);
  }

  /**
   * As {@link #scatter(Object, int)}, by a given algorithm.
   *
   * @param vector the vector on the root, ignored elsewhere
   * @param counts the length of each rank's part on the root, null there for equal ones
   * @param root the sender's rank
   * @param algorithm its slug, or null for the cheapest
   * @param <V> the array's class
   * @return this rank's part
   */
  public <V> V scatter(
      @Nullable V vector, int @Nullable [] counts, int root, @Nullable String algorithm) {
    Vector own = runner.rank() == root && vector != null ? vector(vector) : null;
    return array(parts.scatter(own, counts, root, algorithm));
  }

  /**
   * Gives each rank the root's object for it.
   *
   * @param values an object for each rank on the root, ignored elsewhere
   * @param root the sender's rank
   * @param <T> the objects' class
   * @return the root's object for this rank
   */
  public <T> T scatterObjects(@Nullable List<T> values, int root) {
    return scatterObjects(values, root, null);
  }

  /**
   * As {@link #scatterObjects(List, int)}, by a given algorithm.
   *
   * @param values an object for each rank on the root, ignored elsewhere
   * @param root the sender's rank
   * @param algorithm its slug, or null for the cheapest
   * @param <T> the objects' class
   * @return the root's object for this rank
   */
  public <T> T scatterObjects(@Nullable List<T> values, int root, @Nullable String algorithm) {
    boolean sends = runner.rank() == root;
    if (sends) {
      Errors.requireValue(values, () -> "the list that root " + root + " scatters");
    }
    Vector own = sends && values != null ? objects(Collective.SCATTER, values) : null;
    Layout layout = Layout.even(runner.size(), 1, runner.size());
    return object(
        parts.scatter(
            own, new ObjectVector(new Object[0], runner.codec()), layout, root, algorithm),
        0);
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
    return gather(part, root, null);
  }

  /**
   * As {@link #gather(Object, int)}, by a given algorithm.
   *
   * @param part this rank's part, of one length on all ranks
   * @param root the receiver's rank
   * @param algorithm its slug, or null for the cheapest
   * @param <V> the array's class
   * @return the concatenation of all parts on the root, null elsewhere
   */
  public <V> @Nullable V gather(V part, int root, @Nullable String algorithm) {
    return arrayOrNull(parts.gather(vector(part), null, root, algorithm));
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
    return gather(part, counts, root, null);
  }

  /**
   * As {@link #gather(Object, int[], int)}, by a given algorithm.
   *
   * @param part this rank's part, of the length given for it
   * @param counts the length of each rank's part on the root, ignored elsewhere
   * @param root the receiver's rank
   * @param algorithm its slug, or null for the cheapest
   * @param <V> the array's class
   * @return the concatenation of all parts on the root, null elsewhere
   */
  public <V> @Nullable V gather(
      V part, int @Nullable [] counts, int root, @Nullable String algorithm) {
    return arrayOrNull(parts.gatherByRoot(vector(part), counts, root, algorithm));
  }

  /**
   * Gives the root all ranks' objects.
   *
   * @param value this rank's object
   * @param root the receiver's rank
   * @param <T> the objects' class
   * @return all ranks' objects in rank order on the root, null elsewhere
   */
  public <T> @Nullable List<T> gatherObjects(T value, int root) {
    return gatherObjects(value, root, null);
  }

  /**
   * As {@link #gatherObjects(Object, int)}, by a given algorithm.
   *
   * @param value this rank's object
   * @param root the receiver's rank
   * @param algorithm its slug, or null for the cheapest
   * @param <T> the objects' class
   * @return all ranks' objects in rank order on the root, null elsewhere
   */
  public <T> @Nullable List<T> gatherObjects(T value, int root, @Nullable String algorithm) {
    Vector all = parts.gather(one(value), null, root, algorithm);
    return all == null ? null : list(all);
  }

  private Vector vector(Object array) {
    Errors.requireValue(array, () -> "the vector of rank " + runner.rank());
    return Vector.of(array);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the class is the argument's
  private static <V> V array(Vector vector) {
    return (V) PartExchange.array(vector);
  }

  @SuppressWarnings("TypeParameterUnusedInFormals") // the class is the argument's
  private static <V> @Nullable V arrayOrNull(@Nullable Vector vector) {
    return vector == null ? null : DividedOperations.<V>array(vector);
  }

  private ObjectVector one(Object value) {
    Errors.requireValue(value, () -> "the object of rank " + runner.rank());
    return new ObjectVector(new Object[] {value}, runner.codec());
  }

  private ObjectVector objects(Collective collective, List<?> values) {
    if (values.size() != runner.size()) {
      throw PartErrors.numberOfObjects(collective.slug(), values.size(), runner.size());
    }
    Object[] objects = values.toArray();
    for (int r = 0; r < objects.length; r++) {
      int receiver = r;
      Errors.requireValue(objects[r], () -> "the object for rank " + receiver);
    }
    return new ObjectVector(objects, runner.codec());
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the class is the argument's
  private static <T> T object(Vector vector, int index) {
    return (T) ((ObjectVector) vector).get(index);
  }

  private static <T> List<T> list(Vector vector) {
    List<T> list = new ArrayList<>(vector.length());
    for (int i = 0; i < vector.length(); i++) {
      list.add(object(vector, i));
    }
    return list;
  }
}
