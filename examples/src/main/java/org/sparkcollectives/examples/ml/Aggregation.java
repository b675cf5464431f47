package org.sparkcollectives.examples.ml;

/** How the gradients of all partitions become one sum, and who then computes the next weights. */
public enum Aggregation {
  /** The library's estimator: MLlib's training in one stage. */
  ESTIMATOR("estimator"),
  /** MLlib's estimator, which the plugin makes train in one stage. */
  PLUGIN("plugin"),
  /** MLlib's estimator: two jobs for each iteration. */
  MLLIB("mllib"),
  /** Broadcast and reduction over two trees between the executors; the driver computes. */
  TWO_TREE("two-tree"),
  /** Spark's own {@code treeAggregate} to the driver and {@code broadcast} back. */
  TREE("tree"),
  /** The whole training in one stage: every executor computes, with the same bits. */
  SPMD("spmd");

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
