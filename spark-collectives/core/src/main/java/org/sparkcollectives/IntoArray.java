package org.sparkcollectives;

import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.vector.ReduceOp;

/**
 * The operations of a {@link Communicator} that write their result into an array of the caller's,
 * all of it, and return it. A view: its operations are operations of the communicator, and end with
 * it.
 *
 * @param <V> the arrays' class
 */
public final class IntoArray<V> {
  private final Runner runner;
  private final PartExchange parts;
  private final Values values;
  private final @Nullable String algorithm;
  private final V result;

  IntoArray(
      Runner runner, PartExchange parts, Values values, @Nullable String algorithm, V result) {
    this.runner = runner;
    this.parts = parts;
    this.values = values;
    this.algorithm = algorithm;
    this.result = result;
  }

  /**
   * As {@link Communicator#allGather}; the array is as long as all parts together.
   *
   * @param part this rank's part: of one length on all ranks, or of the length given for it
   * @param counts the length of each rank's part, the same on all ranks; none for parts of one
   *     length
   * @return the array, holding the concatenation of all parts
   */
  public V allGather(V part, int... counts) {
    FixedVector own = values.vector(part);
    parts.allGather(own, target(Collective.ALLGATHER, own), counts, algorithm);
    return result;
  }

  /**
   * As {@link Communicator#allToAll} without lengths; the array is as long as the one given.
   *
   * @param values a part for each rank, in rank order; of one length on all ranks, a multiple of
   *     their number
   * @return the array, holding what all ranks have for this one, in rank order
   */
  public V allToAll(V values) {
    FixedVector own = this.values.vector(values);
    parts.allToAll(own, target(Collective.ALLTOALL, own), algorithm);
    return result;
  }

  /**
   * As {@link Communicator#reduceScatter}; the array is as long as this rank's part.
   *
   * @param vector this rank's vector, of one length on all ranks; its content is undefined
   *     afterwards
   * @param op the operator
   * @param counts the length of each rank's part, the same on all ranks; none for parts of nearly
   *     one length
   * @return the array, holding this rank's part of the combination
   */
  public V reduceScatter(V vector, ReduceOp<? super V> op, int... counts) {
    FixedVector own = values.operands(vector, op);
    parts.reduceScatter(own, op, target(Collective.REDUCE_SCATTER, own), counts, algorithm);
    return result;
  }

  /** The array for the result, which must not be the vector given nor of another type. */
  private Vector target(Collective collective, FixedVector given) {
    Object target = result;
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
