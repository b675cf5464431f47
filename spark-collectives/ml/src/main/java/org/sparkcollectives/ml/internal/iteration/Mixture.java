package org.sparkcollectives.ml.internal.iteration;

import java.io.Serial;
import java.util.Arrays;

/**
 * A mixture of k Gaussian distributions of d features, and how it was found; it does not change.
 * Covariances are upper triangles, column after column, as MLlib packs them.
 */
public final class Mixture extends IterativeProgram.State {
  @Serial private static final long serialVersionUID = 1L;

  private final double[] weights;
  private final double[][] means;
  private final double[][] covariances;

  /**
   * A mixture after iterations.
   *
   * @param weights the weight of each distribution, k
   * @param means their means, k times d
   * @param covariances their covariances, k times d(d+1)/2
   * @param likelihoods the logarithm of the rows' likelihood in each iteration, by the mixture
   *     before it
   * @param rows how many rows there are; 0 before the first iteration
   * @param weight the rows' weight; 0 before the first iteration
   * @param resumedAt the iteration from which they went on; 0 for the start
   */
  Mixture(
      double[] weights,
      double[][] means,
      double[][] covariances,
      double[] likelihoods,
      long rows,
      double weight,
      int resumedAt) {
    super(likelihoods, rows, weight, resumedAt);
    this.weights = weights;
    this.means = means;
    this.covariances = covariances;
  }

  /**
   * A mixture from which iterations start.
   *
   * @param weights the weight of each distribution, k
   * @param means their means, k times d
   * @param covariances their covariances, k times d(d+1)/2
   * @return the mixture, which shares the arrays
   */
  public static Mixture of(double[] weights, double[][] means, double[][] covariances) {
    return new Mixture(weights, means, covariances, new double[0], 0, 0, 0);
  }

  /**
   * The weight of a distribution.
   *
   * @param distribution which
   * @return its share of the rows
   */
  public double weight(int distribution) {
    return weights[distribution];
  }

  /**
   * The mean of a distribution.
   *
   * @param distribution which
   * @return its d elements, not to be changed
   */
  public double[] mean(int distribution) {
    return means[distribution];
  }

  /**
   * The covariance of a distribution.
   *
   * @param distribution which
   * @return the d(d+1)/2 elements of its upper triangle, not to be changed
   */
  public double[] covariance(int distribution) {
    return covariances[distribution];
  }

  /**
   * How likely the rows are.
   *
   * @return the logarithm of their likelihood by the mixture before this one; the least number
   *     before the first iteration
   */
  public double likelihood() {
    double[] likelihoods = objective();
    return likelihoods.length == 0 ? -Double.MAX_VALUE : likelihoods[likelihoods.length - 1];
  }

  /** Whether the last iteration has not changed the likelihood by more than a tolerance. */
  boolean converged(double tolerance) {
    double[] likelihoods = objective();
    int last = likelihoods.length - 1;
    double before = last < 0 ? 0 : last == 0 ? -Double.MAX_VALUE : likelihoods[last - 1];
    return !(Math.abs(likelihood() - before) > tolerance); // no number converges, as in MLlib
  }

  int distributions() {
    return weights.length;
  }

  int features() {
    return means[0].length;
  }

  /** Of all that the next iteration depends on. */
  int hash() {
    return 31 * (31 * Arrays.hashCode(weights) + Arrays.deepHashCode(means))
        + Arrays.deepHashCode(covariances);
  }

  double[] weights() {
    return weights;
  }
}
