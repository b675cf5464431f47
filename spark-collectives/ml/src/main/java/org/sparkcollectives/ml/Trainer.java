package org.sparkcollectives.ml;

import breeze.linalg.DenseVector;
import breeze.optimize.FirstOrderMinimizer;
import breeze.optimize.LBFGS;
import breeze.optimize.LBFGSB;
import breeze.optimize.OWLQN;
import org.apache.spark.api.java.JavaRDD;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.ErrorText;
import org.sparkcollectives.ml.internal.state.Checkpoints;
import org.sparkcollectives.ml.internal.training.Training;

/**
 * Minimises an objective of one's own in one stage: an optimiser of Breeze runs on every rank, and
 * each evaluation of the objective is one allreduce. When an executor is lost, it goes on from the
 * newest state of the others. Trainers do not change; those that {@code with…} returns are new.
 */
public final class Trainer {
  private static final int MAX_ITERATIONS = 100;
  private static final double TOLERANCE = 1e-6;
  private static final int MEMORY = 10;
  private static final int LINE_SEARCH = 64; // steps, of L-BFGS-B

  private final Method method;
  private final int maxIterations;
  private final double tolerance;
  private final int memory;
  private final double l2;
  private final @Nullable String folder;
  private final int every;

  /** An optimiser, but for its limits. */
  private interface Method {
    FirstOrderMinimizer<?, ?> of(int maxIterations, int memory, double tolerance);
  }

  private Trainer(
      Method method,
      int maxIterations,
      double tolerance,
      int memory,
      double l2,
      @Nullable String folder,
      int every) {
    this.method = method;
    this.maxIterations = maxIterations;
    this.tolerance = tolerance;
    this.memory = memory;
    this.l2 = l2;
    this.folder = folder;
    this.every = every;
  }

  private static Trainer of(Method method) {
    return new Trainer(method, MAX_ITERATIONS, TOLERANCE, MEMORY, 0, null, 1);
  }

  /**
   * L-BFGS, for objectives that have a gradient everywhere.
   *
   * @return a trainer of at most 100 iterations, tolerance 1e-6
   */
  public static Trainer lbfgs() {
    return of(
        (most, steps, tolerance) ->
            new LBFGS<DenseVector<Object>>(most, steps, tolerance, DenseVector.space_Double()));
  }

  /**
   * OWL-QN: L-BFGS with a penalty on the coefficients' absolute values, which makes many of them 0.
   *
   * @param l1 the strength of the penalty on each coefficient, or one for all of them
   * @return a trainer of at most 100 iterations, tolerance 1e-6
   */
  public static Trainer owlqn(double... l1) {
    double[] strengths = l1.clone();
    return of(
        (most, steps, tolerance) ->
            new OWLQN<Object, DenseVector<Object>>(
                most, steps, Training.penalties(strengths), tolerance, DenseVector.space_Double()));
  }

  /**
   * L-BFGS-B: coefficients stay within bounds.
   *
   * @param lower the least value of each coefficient, {@code -Infinity} for none
   * @param upper the greatest value of each coefficient, {@code Infinity} for none
   * @return a trainer of at most 100 iterations, tolerance 1e-6
   */
  public static Trainer lbfgsb(double[] lower, double[] upper) {
    double[] least = lower.clone();
    double[] greatest = upper.clone();
    return of(
        (most, steps, tolerance) ->
            new LBFGSB(
                Training.vector(least),
                Training.vector(greatest),
                most,
                steps,
                tolerance,
                LINE_SEARCH,
                LINE_SEARCH));
  }

  /**
   * Ends after so many iterations at the latest.
   *
   * @param iterations how many, at least 0
   * @return a new trainer
   */
  public Trainer withMaxIterations(int iterations) {
    return new Trainer(method, iterations, tolerance, memory, l2, folder, every);
  }

  /**
   * Ends when the objective improves relatively by less.
   *
   * @param relative the improvement, more than 0
   * @return a new trainer
   */
  public Trainer withTolerance(double relative) {
    return new Trainer(method, maxIterations, relative, memory, l2, folder, every);
  }

  /**
   * Approximates the curvature from so many steps.
   *
   * @param steps how many, at least 1; each takes two vectors of memory
   * @return a new trainer
   */
  public Trainer withMemory(int steps) {
    return new Trainer(method, maxIterations, tolerance, steps, l2, folder, every);
  }

  /**
   * Adds a penalty of half the sum of the coefficients' squares, times a strength.
   *
   * @param strength the strength, at least 0
   * @return a new trainer
   */
  public Trainer withL2(double strength) {
    return new Trainer(method, maxIterations, tolerance, memory, strength, folder, every);
  }

  /**
   * Writes the optimiser's state to a folder, from which the same training goes on in another
   * application. A state of another training is not used, but replaced.
   *
   * @param path the folder, on a file system of Hadoop that all executors reach; for each training
   *     another one
   * @param iterations after how many iterations a state is written, at least 1
   * @return a new trainer
   */
  public Trainer withCheckpoints(String path, int iterations) {
    if (iterations < 1) {
      throw ErrorText.invalid(
          "a state cannot be written every " + iterations + " iterations",
          "it is written after an iteration",
          "use 1 or more");
    }
    return new Trainer(method, maxIterations, tolerance, memory, l2, path, iterations);
  }

  /**
   * Minimises an objective.
   *
   * @param rows the rows, in any number of partitions; each rank holds its own in memory
   * @param initial the coefficients where it starts
   * @param objective what is minimised, summed over all rows
   * @param <T> the rows' class
   * @return the coefficients that were found
   * @throws org.sparkcollectives.error.CollectiveException if it fails; the cause is what the
   *     objective threw
   */
  public <T> Minimum minimise(JavaRDD<T> rows, double[] initial, Objective<T> objective) {
    Checkpoints checkpoints =
        folder == null
            ? null
            : new Checkpoints(folder, every, rows.context().hadoopConfiguration());
    return Training.minimise(
        rows,
        method.of(maxIterations, memory, tolerance),
        objective::add,
        l2,
        initial.clone(),
        checkpoints,
        Minimum::new);
  }
}
