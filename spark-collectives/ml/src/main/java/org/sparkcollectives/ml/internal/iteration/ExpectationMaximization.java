package org.sparkcollectives.ml.internal.iteration;

import java.io.Serial;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.ml.clustering.ExpectationAggregator;
import org.apache.spark.ml.clustering.GaussianMixture$;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.ml.internal.bridge.HereBroadcast;
import org.sparkcollectives.ml.internal.objective.SameBits;
import org.sparkcollectives.ml.internal.state.Checkpoints;
import org.sparkcollectives.vector.ReduceOp;
import scala.Tuple2;

/**
 * Expectation maximization of a mixture of Gaussian distributions in one stage: each rank finds how
 * likely its rows belong to each distribution, by MLlib's aggregator, one allreduce sums up the
 * moments of all distributions, and every rank makes the same new ones of them, as MLlib does.
 */
public final class ExpectationMaximization
    extends IterativeProgram<Tuple2<Vector, Object>, Mixture> {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * What stands behind the moments: the likelihood, how many rows there are, whether bits are the
   * same.
   */
  private static final int EXTRA = 2 + SameBits.LENGTH;

  private final double tolerance;

  /**
   * A program.
   *
   * @param start the first mixture
   * @param maxIterations the most iterations
   * @param tolerance the change of the likelihood's logarithm at which it ends
   * @param checkpoints where states are kept beyond the application, or null
   */
  ExpectationMaximization(
      Mixture start, int maxIterations, double tolerance, @Nullable Checkpoints checkpoints) {
    super("Gaussian mixture", start, maxIterations, checkpoints);
    this.tolerance = tolerance;
  }

  /**
   * Checks that a mixture can travel as one object, which has less than 2 GiB.
   *
   * @param distributions k
   * @param features d
   * @throws InvalidInputException if its k (1 + d + d(d+1)/2) moments are too many
   */
  public static void check(long distributions, long features) {
    if (moments(features) >= Integer.MAX_VALUE / Double.BYTES / distributions) {
      throw InvalidInputException.of(
          "a mixture is too large for one stage",
          distributions + " distributions of " + features + " features have moments of 2 GiB",
          "train fewer distributions, or of fewer features");
    }
  }

  /** Of a distribution: its weight, its rows' sum, and the sum of their products. */
  private static long moments(long features) {
    return 1 + features + features * (features + 1) / 2;
  }

  /**
   * Runs all iterations.
   *
   * @param rows the rows, each with its weight
   * @param start the first mixture
   * @param maxIterations the most iterations
   * @param tolerance the change of the likelihood's logarithm at which it ends
   * @return the mixture
   */
  public static Mixture over(
      RDD<Tuple2<Vector, Object>> rows, Mixture start, int maxIterations, double tolerance) {
    Checkpoints checkpoints = Checkpoints.next(rows.context(), "mixture");
    return new ExpectationMaximization(start, maxIterations, tolerance, checkpoints).over(rows);
  }

  @Override
  String description() {
    Mixture start = start();
    return "mixture of "
        + start.distributions()
        + " with "
        + start.features()
        + " features within "
        + tolerance;
  }

  @Override
  boolean converged(Mixture mixture) {
    return mixture.converged(tolerance);
  }

  @Override
  Step<Mixture> step(Communicator communicator, List<Tuple2<Vector, Object>> rows) {
    Lapack.precision(); // before MLlib, on all ranks of this JVM, computes eigenvalues
    SameBits sameBits = new SameBits(communicator, "distributions", "iteration");
    return (mixture, resumedAt) -> iterated(communicator, sameBits, rows, mixture, resumedAt);
  }

  private static Mixture iterated(
      Communicator communicator,
      SameBits sameBits,
      List<Tuple2<Vector, Object>> rows,
      Mixture mixture,
      int resumed) {
    int k = mixture.distributions();
    int each = (int) moments(mixture.features());
    double[] message = expectation(rows, mixture, each);
    int extra = k * each;
    sameBits.put(mixture.hash(), message, extra + 2);
    communicator.allReduce(message, ReduceOp.SUM);
    sameBits.check(mixture.hash(), message, extra + 2, mixture.iteration() + 1);
    double weight = 0;
    for (int i = 0; i < k; i++) {
      weight += message[i * each];
    }
    double[] weights = new double[k];
    double[][] means = new double[k][];
    double[][] covariances = new double[k][];
    for (int i = 0; i < k; i++) {
      int mean = i * each + 1;
      int covariance = mean + mixture.features();
      means[i] = Arrays.copyOfRange(message, mean, covariance);
      covariances[i] = Arrays.copyOfRange(message, covariance, (i + 1) * each);
      weights[i] =
          (double)
              GaussianMixture$.MODULE$
                  .updateWeightsAndGaussians(
                      new DenseVector(means[i]),
                      new DenseVector(covariances[i]),
                      message[i * each],
                      weight)
                  ._1();
    }
    double[] likelihoods = mixture.objectiveAnd(message[extra]);
    long count = Math.round(message[extra + 1]);
    return new Mixture(weights, means, covariances, likelihoods, count, weight, resumed);
  }

  /** The moments of this rank's rows, distribution after distribution. */
  private static double[] expectation(
      List<Tuple2<Vector, Object>> rows, Mixture mixture, int each) {
    int k = mixture.distributions();
    double[] message = new double[k * each + EXTRA];
    if (rows.isEmpty()) {
      return message;
    }
    @SuppressWarnings("unchecked") // Java makes arrays of wildcards only
    Tuple2<DenseVector, DenseVector>[] gaussians =
        (Tuple2<DenseVector, DenseVector>[]) new Tuple2<?, ?>[k];
    for (int i = 0; i < k; i++) {
      gaussians[i] =
          new Tuple2<>(new DenseVector(mixture.mean(i)), new DenseVector(mixture.covariance(i)));
    }
    ExpectationAggregator sums =
        new ExpectationAggregator(
            mixture.features(),
            new HereBroadcast<>(mixture.weights()),
            new HereBroadcast<>(gaussians));
    TaskContext task = TaskContext.get();
    for (Tuple2<Vector, Object> row : rows) {
      if (task != null) {
        task.killTaskIfInterrupted();
      }
      sums.add(row);
    }
    for (int i = 0; i < k; i++) {
      double[] mean = sums.means()[i].values();
      double[] covariance = sums.covs()[i].values();
      message[i * each] = sums.weights()[i];
      System.arraycopy(mean, 0, message, i * each + 1, mean.length);
      System.arraycopy(covariance, 0, message, i * each + 1 + mean.length, covariance.length);
    }
    message[k * each] = sums.logLikelihood();
    message[k * each + 1] = sums.count();
    return message;
  }
}
