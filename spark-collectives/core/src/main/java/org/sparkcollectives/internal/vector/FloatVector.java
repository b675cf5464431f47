package org.sparkcollectives.internal.vector;

import java.nio.ByteBuffer;

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
  public void encode(int from, int count, ByteBuffer target) {
    target.asFloatBuffer().put(array, from, count);
    target.position(target.position() + count * Float.BYTES);
  }

  @Override
  public void decode(ByteBuffer source, int at, int count) {
    source.asFloatBuffer().get(array, at, count);
    source.position(source.position() + count * Float.BYTES);
  }
}
