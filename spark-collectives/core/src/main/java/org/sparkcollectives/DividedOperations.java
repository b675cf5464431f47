package org.sparkcollectives;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.Errors;
import org.sparkcollectives.error.PartErrors;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.vector.FixedVector;
import org.sparkcollectives.vector.ObjectVector;
import org.sparkcollectives.vector.ReduceOp;
import org.sparkcollectives.vector.Vector;

/**
 * The operations of a {@link Communicator} in which each rank has a part of a vector. Parts are
 * consecutive, in rank order. Where no lengths are given, part i of p begins with element floor(i ·
 * n / p) of n, and of as many tuples where the operator works on tuples: they differ by one at
 * most. Lengths that are given may be 0.
 *
 * <p>Vectors are primitive arrays of up to 2<sup>31</sup> - 9 elements. Results are new arrays,
 * which the JVM clears before they are used. Methods named {@code …Into} write the result into an
 * array of the caller's instead, which may serve many operations: any array but the vector given,
 * of the same type, and with as many elements as the result. After a failure its content is
 * undefined.
 *
 * <p>What does not fit is an {@link org.sparkcollectives.error.InvalidInputException}, before any
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
    return array(parts.reduceScatter(operands(vector, op), op, null, counts, algorithm));
  }

  /**
   * As {@link #reduceScatter(Object, ReduceOp)}, into an array of the caller's.
   *
   * @param vector this rank's vector, of one length on all ranks; its content is undefined
   *     afterwards
   * @param op the operator
   * @param part gets this rank's part of the combination: another array of the part's length
   * @param <V> the arrays' class
   * @return {@code part}
   */
  public <V> V reduceScatterInto(V vector, ReduceOp<? super V> op, V part) {
    return reduceScatterInto(vector, op, part, null, null);
  }

  /**
   * As {@link #reduceScatter(Object, ReduceOp, int[], String)}, into an array of the caller's.
   *
   * @param vector this rank's vector, of one length on all ranks; its content is undefined
   *     afterwards
   * @param op the operator
   * @param part gets this rank's part of the combination: another array of the part's length
   * @param counts the length of each rank's part, the same on all ranks; null for equal ones
   * @param algorithm its slug, or null for the cheapest
   * @param <V> the arrays' class
   * @return {@code part}
   */
  public <V> V reduceScatterInto(
      V vector,
      ReduceOp<? super V> op,
      V part,
      int @Nullable [] counts,
      @Nullable String algorithm) {
    FixedVector own = operands(vector, op);
    Vector result = result(Collective.REDUCE_SCATTER, own, part);
    parts.reduceScatter(own, op, result, counts, algorithm);
    return part;
  }

  private FixedVector operands(Object vector, ReduceOp<?> op) {
    if (op.onObjects()) {
      throw PartErrors.wholeObjects(op.name());
    }
    FixedVector own = vector(vector);
    if (!op.accepts(own.type())) {
      throw Errors.operatorType(op.name(), op.accepts(), own.type().label() + "[]");
    }
    return own;
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
    return object(parts.reduceScatter(own, op, null, null, algorithm), 0);
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
    return array(parts.allGather(vector(part), null, counts, algorithm));
  }

  /**
   * As {@link #allGather(Object)}, into an array of the caller's.
   *
   * @param part this rank's part, of one length on all ranks
   * @param whole gets the concatenation of all parts: another array, {@link Communicator#size}
   *     times as long as {@code part}
   * @param <V> the arrays' class
   * @return {@code whole}
   */
  public <V> V allGatherInto(V part, V whole) {
    return allGatherInto(part, whole, null, null);
  }

  /**
   * As {@link #allGather(Object, int[], String)}, into an array of the caller's.
   *
   * @param part this rank's part
   * @param whole gets the concatenation of all parts: another array, as long as all parts together
   * @param counts the length of each rank's part, the same on all ranks; null for equal ones
   * @param algorithm its slug, or null for the cheapest
   * @param <V> the arrays' class
   * @return {@code whole}
   */
  public <V> V allGatherInto(V part, V whole, int @Nullable [] counts, @Nullable String algorithm) {
    FixedVector own = vector(part);
    parts.allGather(own, result(Collective.ALLGATHER, own, whole), counts, algorithm);
    return whole;
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
    return list(parts.allGather(one(value), null, null, algorithm));
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
            ? parts.allToAll(own, null, algorithm)
            : parts.allToAllByCounts(own, sendCounts, algorithm));
  }

  /**
   * As {@link #allToAll(Object)}, into an array of the caller's.
   *
   * @param values a part for each rank, in rank order; of one length on all ranks, a multiple of
   *     their number
   * @param received gets what all ranks have for this one, in rank order: another array, as long as
   *     {@code values}
   * @param <V> the arrays' class
   * @return {@code received}
   */
  public <V> V allToAllInto(V values, V received) {
    return allToAllInto(values, received, null);
  }

  /**
   * As {@link #allToAllInto(Object, Object)}, by a given algorithm.
   *
   * @param values a part for each rank, in rank order; of one length on all ranks, a multiple of
   *     their number
   * @param received gets what all ranks have for this one, in rank order: another array, as long as
   *     {@code values}
   * @param algorithm its slug, or null for the cheapest
   * @param <V> the arrays' class
   * @return {@code received}
   */
  public <V> V allToAllInto(V values, V received, @Nullable String algorithm) {
    FixedVector own = vector(values);
    parts.allToAll(own, result(Collective.ALLTOALL, own, received), algorithm);
    return received;
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
    return list(parts.allToAll(objects(Collective.ALLTOALL, values), null, algorithm));
  }

  /** The caller's array for a result, which must not be the vector given nor of another type. */
  private Vector result(Collective collective, FixedVector given, @Nullable Object target) {
    if (target == null) {
      throw PartErrors.noResultArray(collective.slug(), runner.rank());
    }
    if (target == given.array()) {
      throw PartErrors.resultIsInput(collective.slug(), runner.rank());
    }
    if (target.getClass() != given.array().getClass()) {
      throw PartErrors.resultType(
          collective.slug(),
          runner.rank(),
          target.getClass().getTypeName(),
          given.array().getClass().getTypeName());
    }
    return Vector.of(target);
  }
}
