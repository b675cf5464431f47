package org.sparkcollectives.internal.observe;

/** A transport that knows where the operations of its rank are counted. */
public interface Observed {
  /**
   * The rank's counters.
   *
   * @return always the same
   */
  RankOperations operations();
}
