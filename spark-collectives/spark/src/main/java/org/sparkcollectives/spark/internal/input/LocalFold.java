package org.sparkcollectives.spark.internal.input;

import java.io.Serializable;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.spark.internal.rendezvous.Shape;

/**
 * Makes one operand of a partition's elements, and of a result what elements are. It remembers the
 * class of the elements that it has met; each task has, with its function, a copy of its own.
 */
public interface LocalFold extends Serializable {
  /**
   * Folds a partition.
   *
   * @param before what partitions before it have been folded to, which may be changed; null for
   *     nothing
   * @param partition its index, for messages
   * @param elements its elements
   * @return the operand of all, which shares nothing with the elements; null if there are none
   */
  @Nullable Object fold(@Nullable Object before, int partition, Iterator<?> elements);

  /**
   * The operand of what all partitions of a rank have been folded to.
   *
   * @param sum the last result of {@link #fold}
   * @param partition the first partition, for messages
   * @return the operand
   */
  default Object folded(Object sum, int partition) {
    return sum;
  }

  /**
   * The operand that a value stands for: the reverse of {@link #restore}.
   *
   * @param value a value of the elements' class
   * @param partition the partition that it is made of, for messages
   * @return the operand, which may share its memory with the value
   */
  Object operand(@Nullable Object value, int partition);

  /**
   * What the user is given for an operand.
   *
   * @param operand an operand or a result
   * @return a value of the class that the elements have, which may share the operand's memory
   */
  Object restore(Object operand);

  /**
   * An empty value of the class that elements have.
   *
   * @param vector a vector of their type
   * @return the value, or null where elements are arrays
   */
  @Nullable Object emptyLike(FixedVector vector);

  /**
   * What the driver compares.
   *
   * @param part what a partition contributes
   * @return its shape
   */
  Shape shape(Part part);
}
