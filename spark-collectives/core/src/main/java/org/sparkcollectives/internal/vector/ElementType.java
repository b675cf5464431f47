package org.sparkcollectives.internal.vector;

import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.vector.ObjectCodec;

/** What a vector is made of. */
public enum ElementType {
  /** 64-bit IEEE 754 numbers, {@code double[]}. */
  DOUBLE(1, "double", "float64", 8, double[].class),

  /** 32-bit IEEE 754 numbers, {@code float[]}. */
  FLOAT(2, "float", "float32", 4, float[].class),

  /** 64-bit integers, {@code long[]}. */
  LONG(3, "long", "int64", 8, long[].class),

  /** 32-bit integers, {@code int[]}. */
  INT(4, "int", "int32", 4, int[].class),

  /** Bytes, {@code byte[]}; shipped, never combined. */
  BYTE(5, "byte", null, 1, byte[].class),

  /** Objects of any class, shipped by an {@link ObjectCodec}. */
  OBJECT(6, "object", null, 0, null);

  private static final ElementType[] ALL = values();

  private final int code;
  private final String label;
  private final @Nullable String sizedLabel;
  private final int bytes;
  private final @Nullable Class<?> arrays;

  ElementType(
      int code, String label, @Nullable String sizedLabel, int bytes, @Nullable Class<?> arrays) {
    this.code = code;
    this.label = label;
    this.sizedLabel = sizedLabel;
    this.bytes = bytes;
    this.arrays = arrays;
  }

  /**
   * The type of a primitive array's elements.
   *
   * @param value any object
   * @return the type, null for what is no primitive array or one of another type
   */
  static @Nullable ElementType ofArray(Object value) {
    for (ElementType type : ALL) {
      if (type.arrays == value.getClass()) {
        return type;
      }
    }
    return null;
  }

  /**
   * The array of one number.
   *
   * @param value any object
   * @return a new array, null for what is no number of a type that operators combine
   */
  public static @Nullable Object arrayOfOne(Object value) {
    if (value instanceof Double number) {
      return new double[] {number};
    } else if (value instanceof Float number) {
      return new float[] {number};
    } else if (value instanceof Long number) {
      return new long[] {number};
    } else if (value instanceof Integer number) {
      return new int[] {number};
    }
    return null;
  }

  /** The class of arrays of such elements, null for objects. */
  @Nullable Class<?> arrays() {
    return arrays;
  }

  /**
   * The vector over an array of such elements.
   *
   * @throws IllegalArgumentException for {@link #OBJECT}
   */
  FixedVector over(Object array) {
    // By methods of these classes, of which a process so loads those alone that it meets; a
    // switch would be a class, too.
    if (this == DOUBLE) {
      return DoubleVector.over((double[]) array);
    } else if (this == FLOAT) {
      return FloatVector.over((float[]) array);
    } else if (this == LONG) {
      return LongVector.over((long[]) array);
    } else if (this == INT) {
      return IntVector.over((int[]) array);
    } else if (this == BYTE) {
      return ByteVector.over((byte[]) array);
    }
    throw new IllegalArgumentException("objects lie in no primitive array");
  }

  /**
   * A new vector over a primitive array.
   *
   * @param length its number of elements
   * @return the vector, its elements 0
   * @throws IllegalArgumentException for {@link #OBJECT}
   */
  public FixedVector allocate(int length) {
    Class<?> element = arrays == null ? Object.class : arrays.getComponentType();
    return over(Array.newInstance(element, length));
  }

  /**
   * The size of an element on the wire.
   *
   * @return bytes; 0 for objects, whose size varies
   */
  public int bytes() {
    return bytes;
  }

  /**
   * The name for people.
   *
   * @return a word such as {@code double}
   */
  public String label() {
    return label;
  }

  /**
   * The name of numbers, which operators combine, with their size in it, as NumPy has it.
   *
   * @return a word such as {@code float64}, null for bytes and objects
   */
  public @Nullable String sizedLabel() {
    return sizedLabel;
  }

  /**
   * The number of this type in message headers.
   *
   * @return 1 to 127; it never changes
   */
  public int code() {
    return code;
  }

  /**
   * The type of a number.
   *
   * @param code a number as returned by {@link #code()}
   * @return the type
   * @throws IllegalArgumentException if there is no such type
   */
  public static ElementType ofCode(int code) {
    for (ElementType type : ALL) {
      if (type.code == code) {
        return type;
      }
    }
    throw new IllegalArgumentException("no element type has the number " + code);
  }
}
