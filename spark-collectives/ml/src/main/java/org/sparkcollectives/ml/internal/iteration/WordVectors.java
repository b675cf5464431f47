package org.sparkcollectives.ml.internal.iteration;

import java.io.Serial;

/** Vectors of words and of the inner nodes of their tree after iterations; they do not change. */
final class WordVectors extends IterativeProgram.State {
  @Serial private static final long serialVersionUID = 1L;

  private final float[] elements;
  private final long sentences;

  /**
   * Vectors after iterations.
   *
   * @param elements those of the words, then those of inner nodes; what stands behind them is none
   * @param sentences a fingerprint of all sentences
   * @param errors the mean squared error of decisions in the tree in each iteration
   * @param resumedAt the iteration from which they went on; 0 for the start
   */
  WordVectors(float[] elements, long sentences, double[] errors, int resumedAt) {
    super(errors, 0, 0, resumedAt);
    this.elements = elements;
    this.sentences = sentences;
  }

  float[] elements() {
    return elements;
  }

  long sentences() {
    return sentences;
  }
}
