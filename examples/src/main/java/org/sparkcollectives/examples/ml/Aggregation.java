package org.sparkcollectives.examples.ml;

/** How the gradients of all partitions become one sum that the next iteration can use. */
public enum Aggregation {
  /** Spark's own {@code treeAggregate} to the driver and {@code broadcast} back. */
  TREE("tree");

  private final String word;

  Aggregation(String word) {
    this.word = word;
  }

  /** The word on the command line. */
  @Override
  public String toString() {
    return word;
  }
}
