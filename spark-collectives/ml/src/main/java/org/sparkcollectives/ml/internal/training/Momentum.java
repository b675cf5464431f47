package org.sparkcollectives.ml.internal.training;

/**
 * Stochastic gradient descent with Polyak's heavy ball: v ← μv + g, x ← x - η v / √t after batch t.
 * Without momentum it is what MLlib's {@code SimpleUpdater} does.
 *
 * @param stepSize η, of the first step
 * @param momentum μ, at least 0 and less than 1
 */
public record Momentum(double stepSize, double momentum) implements StepRule {

  @Override
  public int vectors() {
    return momentum == 0 ? 0 : 1;
  }

  @Override
  public void step(int batch, int number, double[] gradient, double[][] memory) {
    double rate = stepSize / Math.sqrt(batch);
    for (int i = 0; i < gradient.length; i++) {
      double velocity = gradient[i];
      if (momentum != 0) {
        velocity += momentum * memory[0][i];
        memory[0][i] = velocity;
      }
      gradient[i] = rate * velocity;
    }
  }
}
