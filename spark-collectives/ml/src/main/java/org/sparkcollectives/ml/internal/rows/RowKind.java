package org.sparkcollectives.ml.internal.rows;

/** What a row's label and weight mean. */
public enum RowKind {
  /** The label is a class, a whole number from 0 on. */
  CLASSES,

  /** The label is any number. */
  NUMBERS,

  /** The label is any number, and what stands for the weight is not one: all rows weigh 1. */
  UNWEIGHTED
}
