package org.sparkcollectives.vector;

import org.sparkcollectives.error.Errors;

/**
 * A sequence of elements of one type over an array, which is used in place and never copied whole.
 */
public abstract sealed class Vector permits FixedVector, ObjectVector {

  /**
   * What the elements are.
   *
   * @return the type
   */
  public abstract ElementType type();

  /**
   * The number of elements.
   *
   * @return 0 or more
   */
  public abstract int length();

  /**
   * A new vector of the same type, for scratch.
   *
   * @param length its number of elements
   * @return the vector, its elements neutral (zero or null)
   */
  public abstract Vector allocate(int length);

  /**
   * Copies elements from another vector of the same type.
   *
   * @param source the other vector
   * @param from index of the first element in {@code source}
   * @param at index of the first element written here
   * @param count number of elements
   */
  public abstract void copy(Vector source, int from, int at, int count);

  /**
   * {@code this[at + i] = left[leftAt + i] ⊕ right[rightAt + i]} for i from 0 to {@code count - 1}.
   * Operands and result may be the same vector at the same index.
   *
   * @param op the operator
   * @param left the left operands, a vector of the same type
   * @param leftAt index of the first left operand
   * @param right the right operands, a vector of the same type
   * @param rightAt index of the first right operand
   * @param at index of the first result
   * @param count number of elements
   */
  public abstract void combine(
      ReduceOp<?> op, Vector left, int leftAt, Vector right, int rightAt, int at, int count);

  /**
   * Wraps a primitive array, in place.
   *
   * @param array a {@code double[]}, {@code float[]}, {@code long[]}, {@code int[]} or {@code
   *     byte[]}
   * @return the vector over it
   * @throws org.sparkcollectives.error.InvalidInputException if it is none of these
   */
  public static FixedVector of(Object array) {
    if (array instanceof double[] a) {
      return new DoubleVector(a);
    } else if (array instanceof float[] a) {
      return new FloatVector(a);
    } else if (array instanceof long[] a) {
      return new LongVector(a);
    } else if (array instanceof int[] a) {
      return new IntVector(a);
    } else if (array instanceof byte[] a) {
      return new ByteVector(a);
    }
    throw Errors.noVector(array.getClass().getTypeName());
  }

  /**
   * Whether {@link #of(Object)} takes a value.
   *
   * @param value any object
   * @return true for arrays of double, float, long, int and byte
   */
  public static boolean isPrimitiveArray(Object value) {
    return value instanceof double[]
        || value instanceof float[]
        || value instanceof long[]
        || value instanceof int[]
        || value instanceof byte[];
  }
}
