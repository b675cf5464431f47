package org.sparkcollectives.spark;

import java.io.IOException;
import java.util.Iterator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.SparkErrors;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.vector.ReduceOp;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.internal.vector.VectorErrors;

/**
 * Applies an operator to the elements of one partition, without changing them. Elements are
 * primitive arrays, values that an adapter turns into such, or objects where the operator is one on
 * objects. For one thread.
 */
final class Combiner {
  private final ReduceOp<?> op;
  private @Nullable SparkCodec codec;
  private @Nullable VectorAdapter adapter;
  private @Nullable Object sample;

  Combiner(ReduceOp<?> op) {
    this.op = op;
  }

  /** Combines all elements in sequence; null if there are none. The result is the caller's own. */
  @Nullable Object fold(int partition, Iterator<?> elements) {
    Object sum = null;
    while (elements.hasNext()) {
      Object next = operand(elements.next(), partition);
      sum = sum == null ? copy(next) : combine(sum, next, partition);
    }
    return sum;
  }

  /** An element as what the operator works on; it may be the element itself. */
  Object operand(@Nullable Object element, int partition) {
    Supplier<String> where = () -> "an element of partition " + partition;
    if (element == null) {
      throw VectorErrors.nullValue(where.get());
    }
    if (op.onObjects()) {
      return element;
    }
    Object array = element;
    if (!Vector.isPrimitiveArray(element)) {
      VectorAdapter known = VectorAdapters.of(element);
      if (known != null) {
        adapter = known;
        sample = element;
        array = known.toArray(element);
      }
    }
    op.requireOperand(array);
    return array;
  }

  /** {@code left ⊕ right}, in place of {@code left}. */
  Object combine(Object left, Object right, int partition) {
    if (op.onObjects()) {
      Object result = op.combineObjects(left, right);
      return result == right ? copy(right) : result;
    }
    FixedVector sum = Vector.of(left);
    FixedVector next = Vector.of(right);
    if (sum.type() != next.type() || sum.length() != next.length()) {
      throw SparkErrors.shapesDiffer(
          "the operator '" + op.name() + "'",
          java.util.List.of(shape(partition, left).toString(), shape(partition, right) + " too"));
    }
    sum.combine(op, sum, 0, next, 0, 0, sum.length());
    return left;
  }

  /** A value that shares nothing with the given one. */
  Object copy(Object operand) {
    if (!op.onObjects()) {
      FixedVector source = Vector.of(operand);
      FixedVector copy = (FixedVector) source.allocate(source.length());
      copy.copy(source, 0, 0, source.length());
      return copy.array();
    }
    SparkCodec known = codec;
    if (known == null) {
      known = new SparkCodec();
      codec = known;
    }
    try {
      return known.decode(known.encode(operand));
    } catch (IOException e) {
      throw VectorErrors.notSerializable(operand.getClass().getTypeName(), e);
    }
  }

  /** What the user is given for an operand: the class that the elements had. */
  Object restore(Object operand) {
    VectorAdapter known = adapter;
    return known == null ? operand : known.fromArray(operand, sample);
  }

  /** A neutral element of an operand's shape, or null. */
  @Nullable Object identity(Object operand) {
    return op.identityLike(operand);
  }

  /** What the rendezvous compares. */
  Wire.Shape shape(int partition, Object operand) {
    if (op.onObjects()) {
      return new Wire.Shape(partition, "object", -1, 0);
    }
    FixedVector vector = Vector.of(operand);
    long bytes = (long) vector.length() * vector.type().bytes();
    return new Wire.Shape(partition, vector.type().label(), vector.length(), bytes);
  }
}
