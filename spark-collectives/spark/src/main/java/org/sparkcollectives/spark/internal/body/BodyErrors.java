package org.sparkcollectives.spark.internal.body;

import org.sparkcollectives.error.InvalidInputException;

/** The errors of what users give to ranks. */
final class BodyErrors {
  private BodyErrors() {}

  /**
   * A program that returned no iterator.
   *
   * @param rank the rank it ran on
   * @return the exception
   */
  static InvalidInputException nullResults(int rank) {
    return InvalidInputException.of(
        "collectively's function returned null on rank " + rank,
        "it must return an iterator over the rank's results",
        "return an empty iterator where a rank has none");
  }
}
