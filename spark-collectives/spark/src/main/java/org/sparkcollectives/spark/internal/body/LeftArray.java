package org.sparkcollectives.spark.internal.body;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import org.sparkcollectives.spark.internal.input.VectorAdapters;

/**
 * Says that the result is an array which was left for the driver, of which it makes a value of the
 * class that elements have.
 *
 * @param like an empty value of that class
 */
public record LeftArray(Object like) implements Serializable {
  /**
   * The result.
   *
   * @param array the array that was left, which the result may keep
   * @return a value of the class that elements have
   */
  public Object value(Object array) {
    return requireNonNull(VectorAdapters.of(like)).fromArray(array, like);
  }
}
