package org.sparkcollectives.internal.vector;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;

/** A vector over a {@code double[]}. */
final class DoubleVector extends FixedVector {
  private final double[] array;

  DoubleVector(double[] array) {
    this.array = array;
  }

  /** The vector over an array. */
  static FixedVector over(double[] array) {
    return new DoubleVector(array);
  }

  @Override
  public ElementType type() {
    return ElementType.DOUBLE;
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
    return new DoubleVector(new double[length]);
  }

  @Override
  public void copy(Vector source, int from, int at, int count) {
    System.arraycopy(((DoubleVector) source).array, from, array, at, count);
  }

  @Override
  DoubleBuffer view(ByteBuffer bytes) {
    return bytes.asDoubleBuffer();
  }

  @Override
  public void encode(int from, int count, ByteBuffer target, NumberViews views) {
    int at = target.position();
    if (at % Double.BYTES == 0) {
      ((DoubleBuffer) views.of(target, this)).put(at / Double.BYTES, array, from, count);
    } else {
      view(target).put(array, from, count);
    }
    target.position(at + count * Double.BYTES);
  }

  @Override
  public void decode(ByteBuffer source, int at, int count, NumberViews views) {
    int from = source.position();
    if (from % Double.BYTES == 0) {
      ((DoubleBuffer) views.of(source, this)).get(from / Double.BYTES, array, at, count);
    } else {
      view(source).get(array, at, count);
    }
    source.position(from + count * Double.BYTES);
  }
}
