package org.sparkcollectives.internal.vector;

import org.sparkcollectives.vector.ReduceOp;

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
   * The size of the elements in memory, without those that objects refer to.
   *
   * @return bytes; 0 for objects
   */
  public final long byteCount() {
    return (long) length() * type().bytes();
  }

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
   * @param array an array of a type that {@link ElementType} lists
   * @return the vector over it
   * @throws org.sparkcollectives.error.InvalidInputException if it is none of these
   */
  public static FixedVector of(Object array) {
    ElementType type = ElementType.ofArray(array);
    if (type == null) {
      throw VectorErrors.noVector(array.getClass().getTypeName());
    }
    return type.over(array);
  }

  /**
   * Whether {@link #of(Object)} takes a value.
   *
   * @param value any object
   * @return true for arrays of a type that {@link ElementType} lists
   */
  public static boolean takes(Object value) {
    return ElementType.ofArray(value) != null;
  }
}
