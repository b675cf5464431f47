package org.sparkcollectives.spark;

import org.jspecify.annotations.Nullable;

/**
 * Lets collectives on RDDs work on objects that stand for a primitive array, such as the vectors of
 * MLlib. Implementations are found by {@link java.util.ServiceLoader}; they are stateless and have
 * a public constructor without arguments.
 */
public interface VectorAdapter {

  /**
   * Whether the adapter knows a value's class.
   *
   * @param value any object
   * @return true when {@link #toArray} takes it
   */
  boolean adapts(Object value);

  /**
   * The array that a value stands for.
   *
   * @param value a value that the adapter knows
   * @return a primitive array, which may be the value's own and is not changed
   */
  Object toArray(Object value);

  /**
   * A value that stands for an array.
   *
   * @param array a primitive array of the type that {@link #toArray} makes; the value may keep it
   * @param like a value that the adapter knows, whose class tells which one is wanted
   * @return the value
   */
  Object fromArray(Object array, @Nullable Object like);
}
