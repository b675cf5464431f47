package org.sparkcollectives.ml.internal.iteration;

import java.io.Serializable;

/**
 * How rows are read, and centres moved, in one of MLlib's two ways.
 *
 * @param <T> the rows' class
 */
interface Assignment<T> extends Serializable {

  /**
   * A centre that has moved.
   *
   * @param coordinates where it is
   * @param norm its length
   * @param distance how far that is from where it was, measured as {@link #limit()} is
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Moved(double[] coordinates, double norm, double distance) {}

  /** Which one it is, and all of its parameters that a state depends on: not the tolerance. */
  String kind();

  /** What no centre has moved farther than in the last iteration, as MLlib compares it. */
  double limit();

  /** How many rows an element stands for. */
  int count(T element);

  /** Whether distances are cosine distances, or else squares of Euclidean ones. */
  boolean cosine();

  /**
   * Reads a row.
   *
   * @param element an element
   * @param index which of its rows
   * @param point is moved to the row; for cosine distances with a scale that makes its length 1
   */
  void read(T element, int index, Point point);

  /**
   * Moves a centre to the mean of its rows.
   *
   * @param centre which
   * @param centres the centres as they are
   * @param message the sums of all ranks' rows, centre after centre, then the centres' weights
   * @return where it is then
   */
  Moved move(int centre, Centres centres, double[] message);
}
