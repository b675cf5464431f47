package org.sparkcollectives.spark;

import java.io.Serializable;
import java.util.Iterator;
import org.sparkcollectives.Communicator;

/**
 * A program that runs on every rank at once, with a communicator to the others.
 *
 * @param <T> the class of the RDD's elements
 * @param <R> the class of the results
 */
@FunctionalInterface
public interface CollectiveFunction<T, R> extends Serializable {

  /**
   * Runs one rank. All ranks call the communicator's operations in the same order.
   *
   * @param communicator this rank's view of all ranks; ended by the library
   * @param elements the elements of this rank's partitions, end to end; those of a cached RDD are
   *     the cached objects themselves: copy an array before giving it to an operation, which works
   *     in place, or a retry and later jobs start from changed data
   * @return this rank's results
   * @throws Exception what the program throws; it ends all ranks and reaches the driver's caller
   */
  Iterator<R> call(Communicator communicator, Iterator<T> elements) throws Exception;
}
