package org.sparkcollectives.internal.engine;

/**
 * How far a rank's long messages may run ahead of its round. One that is ahead shares a receiver's
 * network card with the rank whose turn it is, and both take longer.
 */
public enum Pace {
  /** As far as what they carry is there: for pipelines, whose ranks wait for each other anyway. */
  FREE,
  /** In an exchange no further than a few bytes, until the peer's message begins to arrive. */
  EXCHANGES,
  /**
   * As in {@link #EXCHANGES}, and not before what the rounds before bring has arrived: for ranks
   * that have all they send from the beginning.
   */
  ROUNDS
}
