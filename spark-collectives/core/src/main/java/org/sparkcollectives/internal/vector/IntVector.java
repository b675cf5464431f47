package org.sparkcollectives.internal.vector;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;

/** A vector over a {@code int[]}. */
final class IntVector extends FixedVector {
  private final int[] array;

  IntVector(int[] array) {
    this.array = array;
  }

  /** The vector over an array. */
  static FixedVector over(int[] array) {
    return new IntVector(array);
  }

  @Override
  public ElementType type() {
    return ElementType.INT;
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
    return new IntVector(new int[length]);
  }

  @Override
  public void copy(Vector source, int from, int at, int count) {
    System.arraycopy(((IntVector) source).array, from, array, at, count);
  }

  @Override
  IntBuffer view(ByteBuffer bytes) {
    return bytes.asIntBuffer();
  }

  @Override
  public void encode(int from, int count, ByteBuffer target, NumberViews views) {
    int at = target.position();
    if (at % Integer.BYTES == 0) {
      ((IntBuffer) views.of(target, this)).put(at / Integer.BYTES, array, from, count);
    } else {
      view(target).put(array, from, count);
    }
    target.position(at + count * Integer.BYTES);
  }

  @Override
  public void decode(ByteBuffer source, int at, int count, NumberViews views) {
    int from = source.position();
    if (from % Integer.BYTES == 0) {
      ((IntBuffer) views.of(source, this)).get(from / Integer.BYTES, array, at, count);
    } else {
      view(source).get(array, at, count);
    }
    source.position(from + count * Integer.BYTES);
  }
}
