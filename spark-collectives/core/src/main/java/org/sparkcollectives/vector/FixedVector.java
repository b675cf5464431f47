package org.sparkcollectives.vector;

import java.nio.ByteBuffer;

/** A vector whose elements have a fixed size on the wire: little-endian, without gaps. */
public abstract sealed class FixedVector extends Vector
    permits DoubleVector, FloatVector, LongVector, IntVector, ByteVector {

  /**
   * The array under the vector.
   *
   * @return the primitive array itself, not a copy
   */
  public abstract Object array();

  /**
   * Writes elements into a buffer.
   *
   * @param from index of the first element
   * @param count number of elements
   * @param target little-endian, with room for {@code count * type().bytes()} bytes
   */
  public abstract void encode(int from, int count, ByteBuffer target);

  /**
   * Reads elements from a buffer.
   *
   * @param source little-endian, with at least {@code count * type().bytes()} bytes
   * @param at index of the first element written
   * @param count number of elements
   */
  public abstract void decode(ByteBuffer source, int at, int count);
}
