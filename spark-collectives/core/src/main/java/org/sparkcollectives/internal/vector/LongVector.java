package org.sparkcollectives.internal.vector;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;

/** A vector over a {@code long[]}. */
final class LongVector extends FixedVector {
  private final long[] array;

  LongVector(long[] array) {
    this.array = array;
  }

  /** The vector over an array. */
  static FixedVector over(long[] array) {
    return new LongVector(array);
  }

  @Override
  public ElementType type() {
    return ElementType.LONG;
  }

  @Override
  public int length() {
    return array.length;
  }

  @Override
  public Object array() {
    return array;
  }

  @Override
  public Vector allocate(int length) {
    return new LongVector(new long[length]);
  }

  @Override
  public void copy(Vector source, int from, int at, int count) {
    System.arraycopy(((LongVector) source).array, from, array, at, count);
  }

  @Override
  LongBuffer view(ByteBuffer bytes) {
    return bytes.asLongBuffer();
  }

  @Override
  public void encode(int from, int count, ByteBuffer target, NumberViews views) {
    int at = target.position();
    if (at % Long.BYTES == 0) {
      ((LongBuffer) views.of(target, this)).put(at / Long.BYTES, array, from, count);
    } else {
      view(target).put(array, from, count);
    }
    target.position(at + count * Long.BYTES);
  }

  @Override
  public void decode(ByteBuffer source, int at, int count, NumberViews views) {
    int from = source.position();
    if (from % Long.BYTES == 0) {
      ((LongBuffer) views.of(source, this)).get(from / Long.BYTES, array, at, count);
    } else {
      view(source).get(array, at, count);
    }
    source.position(from + count * Long.BYTES);
  }
}
