package org.sparkcollectives.spark.internal.events;

/** Who names the algorithms by which the operations of a call run. */
public enum Naming {
  /** The call names one. */
  CALL,
  /** A user's program, which the driver does not see into, may name any. */
  PROGRAM,
  /** Nobody: each rank chooses by what it knows of the operation. */
  NOBODY
}
