package org.sparkcollectives.spark.internal.result;

import java.io.Serializable;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.Vector;

/**
 * A primitive array that a process has stored as bytes, for another one to fetch.
 *
 * @param id its number
 * @param like an array of its class, without elements
 * @param length how many elements it has
 */
public record StoredElements(long id, Object like, int length) implements Serializable {

  /**
   * Whether a value can be stored so.
   *
   * @param value any value
   * @return true for a primitive array that is not too long
   */
  public static boolean takes(Object value) {
    return BlockStore.takesArray(value);
  }

  /**
   * Stores an array in this process.
   *
   * @param id a number that no other has
   * @param array what {@link #takes} says yes to
   * @return what the process that fetches it needs
   */
  public static StoredElements store(long id, Object array) {
    FixedVector vector = Vector.of(array);
    BlockStore.putArray(id, vector);
    return new StoredElements(id, ((FixedVector) vector.allocate(0)).array(), vector.length());
  }

  /**
   * A new array of the same class and length.
   *
   * @return zeros
   */
  public Object allocate() {
    return ((FixedVector) Vector.of(like).allocate(length)).array();
  }

  /**
   * Fetches the array.
   *
   * @return a new array
   * @throws org.sparkcollectives.error.CollectiveException if no process holds it any more
   */
  public Object fetch() {
    return BlockStore.requireArray(id);
  }
}
