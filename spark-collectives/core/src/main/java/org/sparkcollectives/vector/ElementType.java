package org.sparkcollectives.vector;

/** What a vector is made of. */
public enum ElementType {
  /** 64-bit IEEE 754 numbers, {@code double[]}. */
  DOUBLE(1, "double", 8),
  /** 32-bit IEEE 754 numbers, {@code float[]}. */
  FLOAT(2, "float", 4),
  /** 64-bit integers, {@code long[]}. */
  LONG(3, "long", 8),
  /** 32-bit integers, {@code int[]}. */
  INT(4, "int", 4),
  /** Bytes, {@code byte[]}; shipped, never combined. */
  BYTE(5, "byte", 1),
  /** Objects of any class, shipped by an {@link ObjectCodec}. */
  OBJECT(6, "object", 0);

  private final int code;
  private final String label;
  private final int bytes;

  ElementType(int code, String label, int bytes) {
    this.code = code;
    this.label = label;
    this.bytes = bytes;
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
    for (ElementType type : values()) {
      if (type.code == code) {
        return type;
      }
    }
    throw new IllegalArgumentException("no element type has the number " + code);
  }
}
