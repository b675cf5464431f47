package org.sparkcollectives.spark.internal.rendezvous;

/** Who of those that arrive takes part. */
public enum Admission {
  /** Every rank. */
  ALL,
  /** Ranks that bring a vector. */
  WITH_VECTOR,
  /** The lowest rank of each process. */
  ONE_PER_PROCESS
}
