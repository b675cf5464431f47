package org.sparkcollectives.ml.internal.training;

/**
 * Adam (Kingma and Ba, ICLR 2015, algorithm 1): m ← β₁m + (1 - β₁)g, v ← β₂v + (1 - β₂)g², x ← x -
 * α m̂ / (√v̂ + ε) with m̂ = m / (1 - β₁ᵗ) and v̂ = v / (1 - β₂ᵗ) in step t.
 *
 * @param stepSize α
 * @param beta1 β₁, at least 0 and less than 1
 * @param beta2 β₂, at least 0 and less than 1
 * @param epsilon ε, more than 0
 */
public record Adam(double stepSize, double beta1, double beta2, double epsilon)
    implements StepRule {

  @Override
  public int vectors() {
    return 2;
  }

  @Override
  public void step(int batch, int number, double[] gradient, double[][] memory) {
    double[] first = memory[0];
    double[] second = memory[1];
    double firstPart = 1 - Math.pow(beta1, number);
    double secondPart = 1 - Math.pow(beta2, number);
    for (int i = 0; i < gradient.length; i++) {
      double g = gradient[i];
      first[i] = beta1 * first[i] + (1 - beta1) * g;
      second[i] = beta2 * second[i] + (1 - beta2) * g * g;
      gradient[i] =
          stepSize * (first[i] / firstPart) / (Math.sqrt(second[i] / secondPart) + epsilon);
    }
  }
}
