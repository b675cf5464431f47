package org.sparkcollectives.ml.internal.training;

import java.io.Serializable;

/** How mini batches move coefficients. What it remembers of earlier steps is given to each step. */
public interface StepRule extends Serializable {

  /**
   * How many vectors it remembers, each of as many elements as there are coefficients.
   *
   * @return how many; they are zeros before the first step
   */
  int vectors();

  /**
   * Takes a step.
   *
   * @param batch which batch the gradient is of, from 1, those without rows counted
   * @param number which step it is, from 1
   * @param gradient the gradient, overwritten with what is to be subtracted from the coefficients
   * @param memory the vectors that it remembers, overwritten with those after the step
   */
  void step(int batch, int number, double[] gradient, double[][] memory);
}
