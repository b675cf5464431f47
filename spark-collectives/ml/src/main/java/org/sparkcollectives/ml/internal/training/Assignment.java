package org.sparkcollectives.ml.internal.training;

import java.io.Serializable;
import java.util.List;
import org.sparkcollectives.Communicator;

/**
 * How rows are assigned to centres, and centres moved, in one of MLlib's two ways.
 *
 * @param <T> the rows' class
 */
interface Assignment<T> extends Serializable {

  /**
   * A centre that has moved.
   *
   * @param coordinates where it is
   * @param norm its length
   * @param near whether it was there before, within the tolerance
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Moved(double[] coordinates, double norm, boolean near) {}

  /** Which one it is, and all of its parameters that a state depends on. */
  String kind();

  /** How many rows an element stands for. */
  int count(T element);

  /**
   * Assigns this rank's rows to the nearest centres; a collective call.
   *
   * @param communicator the ranks
   * @param elements the rows
   * @param centres the centres
   * @param message gets, from its beginning on, the sums of clusters in an order of its own, then
   *     the weight of each cluster
   * @return the rows' weighted distances
   */
  double assign(Communicator communicator, List<T> elements, Centres centres, double[] message);

  /**
   * Moves a centre to the mean of its rows.
   *
   * @param centre which
   * @param centres the centres as they are
   * @param message the sums and weights of all ranks
   * @return where it is then
   */
  Moved move(int centre, Centres centres, double[] message);
}
