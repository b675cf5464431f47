package org.sparkcollectives.verify;

/** What the verifier looks at. */
public enum Check {
  /** Schedules of one problem, one for each rank, with peers, slots and blocks that exist. */
  FORM,
  /** Every send has its receive in the same round, with the same blocks, and conversely. */
  MATCHING,
  /** A rank sends and combines only what it holds. */
  HOLDING,
  /** No block of a slot is sent and received into in the same round. */
  HAZARD,
  /** Every rank ends with what the collective promises, each contribution once and in order. */
  RESULT,
  /** All ranks of an allreduce form a block's result by the same expression, so by equal bits. */
  AGREEMENT,
  /** The number of rounds is the one claimed. */
  ROUNDS,
  /** No message and no rank's combining is larger than the claimed phase of its round says. */
  PHASES,
  /** Where one port is claimed for both directions, no rank sends and receives in one round. */
  SIMPLEX,
  /** The most blocks that one rank sends are as many as claimed. */
  VOLUME
}
