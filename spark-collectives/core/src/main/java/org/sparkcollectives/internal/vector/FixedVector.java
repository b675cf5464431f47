package org.sparkcollectives.internal.vector;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.sparkcollectives.vector.ReduceOp;

/** A vector whose elements have a fixed size on the wire: little-endian, without gaps. */
public abstract non-sealed class FixedVector extends Vector {

  /** For the vectors of this package, which {@link ElementType} makes. */
  FixedVector() {}

  /**
   * The array under the vector.
   *
   * @return the primitive array itself, not a copy
   */
  public abstract Object array();

  /** What {@link NumberViews} keeps: bytes from a buffer's position on, as such elements. */
  abstract Buffer view(ByteBuffer bytes);

  @Override
  public final void combine(
      ReduceOp<?> op, Vector left, int leftAt, Vector right, int rightAt, int at, int count) {
    Object leftArray = ((FixedVector) left).array();
    Object rightArray = ((FixedVector) right).array();
    op.combine(leftArray, leftAt, rightArray, rightAt, array(), at, count);
  }

  /**
   * Writes elements into a buffer.
   *
   * @param from index of the first element
   * @param count number of elements
   * @param target little-endian, with room for {@code count * type().bytes()} bytes
   */
  public final void encode(int from, int count, ByteBuffer target) {
    encode(from, count, target, new NumberViews());
  }

  /**
   * Writes elements into a buffer that is written again and again.
   *
   * @param from index of the first element
   * @param count number of elements
   * @param target little-endian, with room for {@code count * type().bytes()} bytes
   * @param views kept for the buffer
   */
  public abstract void encode(int from, int count, ByteBuffer target, NumberViews views);

  /**
   * Reads elements from a buffer.
   *
   * @param source little-endian, with at least {@code count * type().bytes()} bytes
   * @param at index of the first element written
   * @param count number of elements
   */
  public final void decode(ByteBuffer source, int at, int count) {
    decode(source, at, count, new NumberViews());
  }

  /**
   * Reads elements from a buffer that is read again and again.
   *
   * @param source little-endian, with at least {@code count * type().bytes()} bytes
   * @param at index of the first element written
   * @param count number of elements
   * @param views kept for the buffer
   */
  public abstract void decode(ByteBuffer source, int at, int count, NumberViews views);
}
