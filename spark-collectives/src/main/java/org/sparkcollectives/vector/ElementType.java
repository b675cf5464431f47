package org.sparkcollectives.vector;

/** What a vector is made of. */
public enum ElementType {
  /** 64-bit IEEE 754 numbers, {@code double[]}. */
  DOUBLE("double", 8),
  /** 32-bit IEEE 754 numbers, {@code float[]}. */
  FLOAT("float", 4),
  /** 64-bit integers, {@code long[]}. */
  LONG("long", 8),
  /** 32-bit integers, {@code int[]}. */
  INT("int", 4),
  /** Bytes, {@code byte[]}; shipped, never combined. */
  BYTE("byte", 1),
  /** Objects of any class, shipped by an {@link ObjectCodec}. */
  OBJECT("object", 0);

  private final String label;
  private final int bytes;

  ElementType(String label, int bytes) {
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
}
