package org.sparkcollectives.spark.internal.input;

import java.io.Serial;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.internal.vector.VectorErrors;
import org.sparkcollectives.spark.internal.rendezvous.Shape;

/**
 * Puts elements of an RDD end to end: primitive arrays, or values that an adapter turns into such.
 * For one thread.
 */
public final class Concatenator implements LocalFold {
  @Serial private static final long serialVersionUID = 1L;

  private static final int LONGEST = Integer.MAX_VALUE - 8;

  private transient @Nullable ElementForm form;

  /** Makes a concatenator that has met no elements yet. */
  public Concatenator() {}

  @Override
  public @Nullable Object fold(@Nullable Object before, int partition, Iterator<?> elements) {
    String where = "partition " + partition;
    List<FixedVector> vectors = new ArrayList<>();
    if (before != null) {
      vectors.add(Vector.of(before));
    }
    while (elements.hasNext()) {
      vectors.add(vector(elements.next(), "an element of " + where));
    }
    return vectors.isEmpty() ? null : concatenate(vectors, where).array();
  }

  @Override
  public Object operand(@Nullable Object value, int partition) {
    return vector(value, "the vector of partition " + partition).array();
  }

  @Override
  public Object restore(Object operand) {
    return form().restore(operand);
  }

  /** {@inheritDoc} That is its type, and that it is not too large. */
  @Override
  public Shape shape(Part part) {
    FixedVector vector = Vector.of(part.operand());
    long bytes = vector.byteCount();
    return new Shape(part.partition(), vector.type().label(), -1, bytes, false);
  }

  /**
   * An element as a vector over its own array.
   *
   * @param element the element
   * @param where what it is, for messages
   * @return the vector
   */
  public FixedVector vector(@Nullable Object element, String where) {
    if (element == null) {
      throw VectorErrors.nullValue(where);
    }
    Object array = form().array(element);
    if (array == null || form().number() != null) {
      throw InputErrors.noParts(where, element.getClass().getTypeName());
    }
    return Vector.of(array);
  }

  /**
   * Puts vectors of one type end to end.
   *
   * @param vectors the vectors, at least one
   * @param where whose they are, for messages
   * @return all elements, in a new vector
   */
  public FixedVector concatenate(List<FixedVector> vectors, String where) {
    long length = 0;
    for (FixedVector vector : vectors) {
      if (vector.type() != vectors.get(0).type()) {
        throw InputErrors.typesDiffer(where, vectors.get(0).type().label(), vector.type().label());
      }
      length += vector.length();
    }
    FixedVector whole = allocate(vectors.get(0), length, where);
    int at = 0;
    for (FixedVector vector : vectors) {
      whole.copy(vector, 0, at, vector.length());
      at += vector.length();
    }
    return whole;
  }

  /**
   * A vector of a length that an array can have.
   *
   * @param like a vector of the same type
   * @param length how long it is to be
   * @param where whose elements it will hold, for messages
   * @return the vector, of zeros
   */
  public FixedVector allocate(FixedVector like, long length, String where) {
    if (length > LONGEST) {
      throw InputErrors.concatenationTooLong(where, length);
    }
    return (FixedVector) like.allocate((int) length);
  }

  @Override
  public @Nullable Object emptyLike(FixedVector vector) {
    return form().isArray() ? null : restore(((FixedVector) vector.allocate(0)).array());
  }

  private ElementForm form() {
    ElementForm known = form;
    if (known == null) {
      known = new ElementForm();
      form = known;
    }
    return known;
  }
}
