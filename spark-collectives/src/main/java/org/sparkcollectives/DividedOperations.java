package org.sparkcollectives;

import java.util.List;
import org.jspecify.annotations.Nullable;
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
public abstract sealed class DividedOperations extends RootedOperations permits Communicator {
  DividedOperations(Runner runner) {
    super(runner);
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
}
