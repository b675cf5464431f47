package org.sparkcollectives.internal.calibrate;

/** What tells how long trials take. */
interface Timing {

  /**
   * Does a trial, untimed, until it is as fast as it gets.
   *
   * @param trial what to do
   */
  void warmUp(Trial trial);

  /**
   * Does a trial with short messages many times.
   *
   * @param trial what to do
   * @return for each time that counted, at least one, the nanoseconds until the slowest rank was
   *     done; the same on all ranks
   */
  double[] ofMany(Trial trial);

  /**
   * Does a trial with long messages a few times.
   *
   * @param trial what to do
   * @return the median time of each rank that took part, at least one, in nanoseconds; the same on
   *     all ranks
   */
  double[] ofFew(Trial trial);

  /**
   * Combines operands.
   *
   * @return γ, the time to combine a byte of two operands, in nanoseconds; the same on all ranks
   */
  double combiningNanosPerByte();
}
