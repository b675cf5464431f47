package org.sparkcollectives.internal.vector;

import java.nio.ByteBuffer;

/** A vector over a {@code byte[]}. */
final class ByteVector extends FixedVector {
  private final byte[] array;

  ByteVector(byte[] array) {
    this.array = array;
  }

  /** The vector over an array. */
  static FixedVector over(byte[] array) {
    return new ByteVector(array);
  }

  @Override
  public ElementType type() {
    return ElementType.BYTE;
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
    return new ByteVector(new byte[length]);
  }

  @Override
  public void copy(Vector source, int from, int at, int count) {
    System.arraycopy(((ByteVector) source).array, from, array, at, count);
  }

  @Override
  ByteBuffer view(ByteBuffer bytes) {
    return bytes;
  }

  @Override
  public void encode(int from, int count, ByteBuffer target, NumberViews views) {
    target.put(array, from, count);
  }

  @Override
  public void decode(ByteBuffer source, int at, int count, NumberViews views) {
    source.get(array, at, count);
  }
}
