package org.sparkcollectives.spark;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.PartErrors;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.internal.vector.VectorErrors;

/**
 * Puts elements of an RDD end to end, and gives results the class that elements have: primitive
 * arrays, or values that an adapter turns into such. For one thread.
 */
final class Concatenator {
  private static final int LONGEST = Integer.MAX_VALUE - 8;

  private @Nullable VectorAdapter adapter;
  private @Nullable Object sample;

  /**
   * An element as a vector over its own array.
   *
   * @param element the element
   * @param where what it is, for messages
   */
  FixedVector vector(@Nullable Object element, String where) {
    if (element == null) {
      throw VectorErrors.nullValue(where);
    }
    if (Vector.isPrimitiveArray(element)) {
      return Vector.of(element);
    }
    VectorAdapter known = VectorAdapters.of(element);
    if (known == null || known instanceof NumberAdapter) {
      throw PartErrors.noParts(where, element.getClass().getTypeName());
    }
    adapter = known;
    sample = element;
    return Vector.of(known.toArray(element));
  }

  /** All elements of vectors of one type, in a new vector; there is at least one. */
  FixedVector concatenate(List<FixedVector> vectors, String where) {
    long length = 0;
    for (FixedVector vector : vectors) {
      if (vector.type() != vectors.get(0).type()) {
        throw PartErrors.typesDiffer(where, vectors.get(0).type().label(), vector.type().label());
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

  /** A vector of a length that an array can have. */
  FixedVector allocate(FixedVector like, long length, String where) {
    if (length > LONGEST) {
      throw PartErrors.concatenationTooLong(where, length);
    }
    return (FixedVector) like.allocate((int) length);
  }

  /** What the user is given for an array. */
  Object restore(Object array) {
    VectorAdapter known = adapter;
    return known == null ? array : known.fromArray(array, sample);
  }

  /** An empty value of the class that elements have, or null where they are arrays. */
  @Nullable Object emptyLike(FixedVector vector) {
    VectorAdapter known = adapter;
    return known == null
        ? null
        : known.fromArray(((FixedVector) vector.allocate(0)).array(), sample);
  }

  /** The vectors of a rank's partitions. */
  List<FixedVector> vectors(List<Part> parts) {
    return parts.stream()
        .map(part -> vector(part.value(), "the vector of partition " + part.partition()))
        .toList();
  }

  /** What the rendezvous compares: the type, and that no vector is too large. */
  List<Wire.Shape> shapes(List<Part> parts) {
    return parts.stream()
        .map(
            part -> {
              FixedVector vector =
                  vector(part.value(), "the vector of partition " + part.partition());
              long bytes = (long) vector.length() * vector.type().bytes();
              return new Wire.Shape(part.partition(), vector.type().label(), -1, bytes);
            })
        .toList();
  }
}
