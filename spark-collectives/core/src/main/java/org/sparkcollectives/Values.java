package org.sparkcollectives;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.ObjectVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.internal.vector.VectorErrors;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.vector.ReduceOp;

/** The values that a user gives, as vectors, and the vectors that operations leave, as values. */
final class Values {
  /** How many elements of a neutral one are made, to be copied as often as it takes. */
  private static final int IDENTITY_ELEMENTS = 4096;

  private final Runner runner;

  Values(Runner runner) {
    this.runner = runner;
  }

  /** The vector over an array. */
  FixedVector vector(Object array) {
    VectorErrors.requireValue(array, () -> "the vector of rank " + runner.rank());
    return Vector.of(array);
  }

  /** The vector over an array that an operator is to combine and that can be divided. */
  FixedVector operands(Object array, ReduceOp<?> op) {
    VectorErrors.requireOperator(op);
    if (op.onObjects()) {
      throw VectorErrors.wholeObjects(op.name());
    }
    FixedVector own = vector(array);
    op.requireOperand(array);
    return own;
  }

  /** Runs an operation that combines whole values. */
  @SuppressWarnings("unchecked")
  <V> V combine(
      Collective collective, V value, ReduceOp<? super V> op, int root, @Nullable String slug) {
    VectorErrors.requireValue(value, () -> "the vector of rank " + runner.rank());
    VectorErrors.requireOperator(op);
    if (op.onObjects()) {
      ObjectVector one = new ObjectVector(new Object[] {value}, runner.codec());
      runner.run(collective, one, op, root, slug);
      return (V) one.get(0);
    }
    op.requireOperand(value);
    runner.run(collective, Vector.of(value), op, root, slug);
    return value;
  }

  /**
   * A neutral element in place of a value.
   *
   * @param value an array, which is overwritten, or an object
   * @param op an operator that has one
   * @return the array, or another object
   */
  @SuppressWarnings({"unchecked", "SuspiciousSystemArraycopy"})
  <V> V identity(V value, ReduceOp<? super V> op) {
    if (op.onObjects()) {
      Object identity = op.identityLike(value);
      if (identity == null) {
        throw runner.refuse(VectorErrors.nullIdentity(op.name()));
      }
      return (V) identity;
    }
    int length = Array.getLength(value);
    int most = Math.max(1, IDENTITY_ELEMENTS / op.width()) * op.width();
    Class<?> type = value.getClass().getComponentType();
    Object some = op.identityLike(Array.newInstance(type, Math.min(length, most)));
    int filled = 0;
    while (some != null && filled < length) {
      int count = Math.min(most, length - filled);
      System.arraycopy(some, 0, value, filled, count);
      filled += count;
    }
    return value;
  }

  /** The vector of one object. */
  ObjectVector one(Object value) {
    VectorErrors.requireValue(value, () -> "the object of rank " + runner.rank());
    return new ObjectVector(new Object[] {value}, runner.codec());
  }

  /** The vector of an object for each rank. */
  ObjectVector objects(Collective collective, @Nullable List<?> values) {
    if (values == null) {
      throw VectorErrors.nullValue(
          "the list of rank " + runner.rank() + " for " + collective.slug());
    }
    if (values.size() != runner.size()) {
      throw PartErrors.numberOfObjects(collective.slug(), values.size(), runner.size());
    }
    Object[] objects = values.toArray();
    for (int r = 0; r < objects.length; r++) {
      int receiver = r;
      VectorErrors.requireValue(objects[r], () -> "the object for rank " + receiver);
    }
    ObjectVector vector = new ObjectVector(objects, runner.codec());
    if (collective.reducing()) {
      vector.separate();
    }
    return vector;
  }

  /** The array under a vector of numbers. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the class is the argument's
  static <V> V array(Vector vector) {
    return (V) ((FixedVector) vector).array();
  }

  /** As {@link #array}, null for null. */
  @SuppressWarnings("TypeParameterUnusedInFormals") // the class is the argument's
  static <V> @Nullable V arrayOrNull(@Nullable Vector vector) {
    return vector == null ? null : Values.<V>array(vector);
  }

  /** An object of a vector of objects. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the class is the argument's
  static <T> T object(Vector vector, int index) {
    return (T) ((ObjectVector) vector).get(index);
  }

  /** All objects of a vector of objects. */
  static <T> List<T> list(Vector vector) {
    List<T> list = new ArrayList<>(vector.length());
    for (int i = 0; i < vector.length(); i++) {
      list.add(object(vector, i));
    }
    return list;
  }
}
