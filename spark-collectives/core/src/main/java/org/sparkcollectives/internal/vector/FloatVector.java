package org.sparkcollectives.internal.vector;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/** A vector over a {@code float[]}. */
final class FloatVector extends FixedVector {
  private final float[] array;

  FloatVector(float[] array) {
    this.array = array;
  }

  /** The vector over an array. */
  static FixedVector over(float[] array) {
    return new FloatVector(array);
  }

  @Override
  public ElementType type() {
    return ElementType.FLOAT;
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
    return new FloatVector(new float[length]);
  }

  @Override
  public void copy(Vector source, int from, int at, int count) {
    System.arraycopy(((FloatVector) source).array, from, array, at, count);
  }

  @Override
  FloatBuffer view(ByteBuffer bytes) {
    return bytes.asFloatBuffer();
  }

  @Override
  public void encode(int from, int count, ByteBuffer target, NumberViews views) {
    int at = target.position();
    if (at % Float.BYTES == 0) {
      ((FloatBuffer) views.of(target, this)).put(at / Float.BYTES, array, from, count);
    } else {
      view(target).put(array, from, count);
    }
    target.position(at + count * Float.BYTES);
  }

  @Override
  public void decode(ByteBuffer source, int at, int count, NumberViews views) {
    int from = source.position();
    if (from % Float.BYTES == 0) {
      ((FloatBuffer) views.of(source, this)).get(from / Float.BYTES, array, at, count);
    } else {
      view(source).get(array, at, count);
    }
    source.position(from + count * Float.BYTES);
  }
}
