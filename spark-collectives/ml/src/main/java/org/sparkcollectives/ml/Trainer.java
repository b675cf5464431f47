package org.sparkcollectives.ml;

import breeze.linalg.DenseVector;
import breeze.optimize.FirstOrderMinimizer;
import breeze.optimize.LBFGS;
import breeze.optimize.LBFGSB;
import breeze.optimize.OWLQN;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.ml.internal.state.Checkpoints;
import org.sparkcollectives.ml.internal.training.Adam;
import org.sparkcollectives.ml.internal.training.Descent;
import org.sparkcollectives.ml.internal.training.Momentum;
import org.sparkcollectives.ml.internal.training.OwnBatches;
import org.sparkcollectives.ml.internal.training.StepRule;
import org.sparkcollectives.ml.internal.training.Training;

/**
 * Minimises an objective of one's own in one stage: the same optimiser runs on every rank, one of
 * Breeze or one that takes mini batches, and each evaluation of the objective is one allreduce.
 * When an executor is lost, it goes on from the newest state of the others. Trainers do not change;
 * those that {@code with…} returns are new.
 */
public final class Trainer {
  private static final int MAX_ITERATIONS = 100;
  private static final double TOLERANCE = 1e-6;
  private static final int MEMORY = 10;
  private static final int LINE_SEARCH = 64; // steps, of L-BFGS-B
  private static final long SEED = 42; // MLlib's own
  private static final double BETA1 = 0.9;
  private static final double BETA2 = 0.999;
  private static final double EPSILON = 1e-8;

  private final Method method;
  private final int maxIterations;
  private final double tolerance;
  private final int memory;
  private final double l2;
  private final @Nullable String folder;
  private final int every;
  private final long seed;

  /** An optimiser, but for its limits. */
  private sealed interface Method {}

  /** Makes an optimiser of Breeze, within limits. */
  @FunctionalInterface
  private interface Maker {
    FirstOrderMinimizer<?, ?> of(int maxIterations, int memory, double tolerance);
  }

  /**
   * One of Breeze, which evaluates the objective over all rows.
   *
   * @param maker makes it
   * @param coefficients for how many coefficients it has been given numbers; 0 for any
   * @param start the coefficients where it starts, of those that are asked for
   */
  private record Whole(Maker maker, int coefficients, UnaryOperator<double[]> start)
      implements Method {
    FirstOrderMinimizer<?, ?> of(Trainer trainer, int length) {
      if (coefficients > 0 && coefficients != length) {
        throw InvalidInputException.of(
            "no training of " + length + " coefficients can have " + coefficients + " limits",
            "penalties of OWL-QN and bounds of L-BFGS-B are one for each coefficient",
            "give as many as the training starts with");
      }
      return maker.of(trainer.maxIterations, trainer.memory, trainer.tolerance);
    }
  }

  /** One that takes a part of the rows for each step. */
  private record Batches(StepRule rule, double fraction) implements Method {
    OwnBatches of(Trainer trainer) {
      return new OwnBatches(
          rule, trainer.maxIterations, fraction, trainer.seed, trainer.l2, trainer.tolerance);
    }
  }

  private Trainer(
      Method method,
      int maxIterations,
      double tolerance,
      int memory,
      double l2,
      @Nullable String folder,
      int every,
      long seed) {
    this.method = method;
    this.maxIterations = maxIterations;
    this.tolerance = tolerance;
    this.memory = memory;
    this.l2 = l2;
    this.folder = folder;
    this.every = every;
    this.seed = seed;
  }

  private static Trainer of(Maker maker, int coefficients) {
    return of(new Whole(maker, coefficients, double[]::clone));
  }

  private static Trainer of(Whole method) {
    return new Trainer(method, MAX_ITERATIONS, TOLERANCE, MEMORY, 0, null, 1, SEED);
  }

  private static Trainer of(StepRule rule, double stepSize, double fraction) {
    if (!(stepSize > 0 && stepSize < Double.POSITIVE_INFINITY)) {
      throw InvalidInputException.of(
          "no training can take steps of size " + stepSize,
          "a step goes against the gradient, by a number of times its length",
          "use a finite number that is more than 0");
    }
    if (!(fraction > 0 && fraction <= 1)) {
      throw InvalidInputException.of(
          "a batch cannot have a part of " + fraction + " of the rows",
          "it is a sample of them without replacement",
          "use more than 0 and at most 1");
    }
    return new Trainer(new Batches(rule, fraction), MAX_ITERATIONS, 0, MEMORY, 0, null, 1, SEED);
  }

  /** How much a penalty counts. */
  private static double strength(String name, double strength) {
    if (!(strength >= 0 && strength < Double.POSITIVE_INFINITY)) {
      throw InvalidInputException.of(
          "the strength of " + name + " cannot be " + strength,
          "a penalty makes large coefficients worse, never better",
          "use a finite number that is at least 0");
    }
    return strength;
  }

  /** A weight of what was before. */
  private static double weight(String name, double weight) {
    if (!(weight >= 0 && weight < 1)) {
      throw InvalidInputException.of(
          name + " cannot be " + weight,
          "it is the weight that earlier steps have",
          "use at least 0 and less than 1");
    }
    return weight;
  }

  /**
   * L-BFGS, for objectives that have a gradient everywhere.
   *
   * @return a trainer of at most 100 iterations, tolerance 1e-6
   */
  public static Trainer lbfgs() {
    return of(
        (most, steps, tolerance) ->
            new LBFGS<DenseVector<Object>>(most, steps, tolerance, DenseVector.space_Double()),
        0);
  }

  /**
   * OWL-QN: L-BFGS with a penalty on the coefficients' absolute values, which makes many of them 0.
   *
   * @param l1 the strength of the penalty on each coefficient, or one for all of them; at least 0
   * @return a trainer of at most 100 iterations, tolerance 1e-6
   */
  public static Trainer owlqn(double... l1) {
    double[] strengths = l1.clone();
    if (strengths.length == 0) {
      throw InvalidInputException.of(
          "OWL-QN has no penalty",
          "none was given",
          "give one strength for all coefficients or one for each, or use lbfgs()");
    }
    for (double strength : strengths) {
      strength("a penalty on absolute values", strength);
    }
    return of(
        (most, steps, tolerance) ->
            new OWLQN<Object, DenseVector<Object>>(
                most, steps, Training.penalties(strengths), tolerance, DenseVector.space_Double()),
        strengths.length == 1 ? 0 : strengths.length);
  }

  /**
   * L-BFGS-B: coefficients stay within bounds. Where a training is to start elsewhere, it starts at
   * the bounds that are nearest.
   *
   * @param lower the least value of each coefficient, {@code -Infinity} for none
   * @param upper the greatest value of each coefficient, at least the least one; {@code Infinity}
   *     for none
   * @return a trainer of at most 100 iterations, tolerance 1e-6
   */
  public static Trainer lbfgsb(double[] lower, double[] upper) {
    double[] least = lower.clone();
    double[] greatest = upper.clone();
    if (least.length != greatest.length || least.length == 0) {
      throw InvalidInputException.of(
          least.length + " lower and " + greatest.length + " upper bounds are none",
          "each coefficient has one of both",
          "give as many of each as there are coefficients, with infinities where there is no bound");
    }
    for (int i = 0; i < least.length; i++) {
      if (!(least[i] <= greatest[i])) {
        throw InvalidInputException.of(
            "coefficient " + i + " cannot be from " + least[i] + " to " + greatest[i],
            "no number is within these bounds",
            "give lower bounds that are at most the upper ones");
      }
    }
    Maker maker =
        (most, steps, tolerance) ->
            new LBFGSB(
                Training.vector(least),
                Training.vector(greatest),
                most,
                steps,
                tolerance,
                LINE_SEARCH,
                LINE_SEARCH);
    return of(new Whole(maker, least.length, start -> within(least, start, greatest)));
  }

  /** The coefficients within bounds that are nearest, as MLlib's own trainings start. */
  private static double[] within(double[] least, double[] start, double[] greatest) {
    double[] within = new double[start.length];
    for (int i = 0; i < start.length; i++) {
      within[i] = Math.max(least[i], Math.min(start[i], greatest[i]));
    }
    return within;
  }

  /**
   * Stochastic gradient descent by mini batches, without momentum.
   *
   * @param stepSize the size of the first step, more than 0
   * @param fraction which part of the rows is in a batch, more than 0 and at most 1
   * @return a trainer of at most 100 batches, tolerance 0
   */
  public static Trainer sgd(double stepSize, double fraction) {
    return sgd(stepSize, fraction, 0);
  }

  /**
   * Stochastic gradient descent by mini batches: each step is the mean gradient of the rows of a
   * batch, and momentum times the step before, times a rate that falls with the root of the
   * batches' number, as that of MLlib's {@code GradientDescent}.
   *
   * @param stepSize the rate of the first step, more than 0
   * @param fraction which part of the rows is in a batch, more than 0 and at most 1
   * @param momentum at least 0 and less than 1
   * @return a trainer of at most 100 batches, tolerance 0
   */
  public static Trainer sgd(double stepSize, double fraction, double momentum) {
    return of(new Momentum(stepSize, weight("momentum", momentum)), stepSize, fraction);
  }

  /**
   * Adam by mini batches, with weights 0.9 and 0.999 and epsilon 1e-8.
   *
   * @param stepSize about how far a coefficient goes in a step, more than 0
   * @param fraction which part of the rows is in a batch, more than 0 and at most 1
   * @return a trainer of at most 100 batches, tolerance 0
   */
  public static Trainer adam(double stepSize, double fraction) {
    return adam(stepSize, fraction, BETA1, BETA2, EPSILON);
  }

  /**
   * Adam by mini batches (Kingma and Ba, ICLR 2015, algorithm 1), over the mean gradient of the
   * rows of a batch.
   *
   * @param stepSize about how far a coefficient goes in a step, more than 0
   * @param fraction which part of the rows is in a batch, more than 0 and at most 1
   * @param beta1 the weight of the mean of earlier gradients, at least 0 and less than 1
   * @param beta2 the weight of the mean of their squares, at least 0 and less than 1
   * @param epsilon what is added to the root of that mean, more than 0
   * @return a trainer of at most 100 batches, tolerance 0
   */
  public static Trainer adam(
      double stepSize, double fraction, double beta1, double beta2, double epsilon) {
    if (!(epsilon > 0)) {
      throw InvalidInputException.of(
          "epsilon cannot be " + epsilon,
          "it keeps a gradient of 0 from being divided by 0",
          "use more than 0");
    }
    return of(
        new Adam(stepSize, weight("beta1", beta1), weight("beta2", beta2), epsilon),
        stepSize,
        fraction);
  }

  /**
   * Ends after so many iterations at the latest; each batch is one.
   *
   * @param iterations how many, at least 0
   * @return a new trainer
   */
  public Trainer withMaxIterations(int iterations) {
    if (iterations < 0) {
      throw InvalidInputException.of(
          "no training can have " + iterations + " iterations at most",
          "it ends after so many",
          "use 0 or more");
    }
    return new Trainer(method, iterations, tolerance, memory, l2, folder, every, seed);
  }

  /**
   * Ends when the objective improves relatively by less. Mini batches, whose objectives cannot be
   * compared, end when a step is shorter than the tolerance times the length of the coefficients,
   * or than the tolerance where that length is less than 1; with 0 all batches are taken.
   *
   * @param relative the tolerance, at least 0
   * @return a new trainer
   */
  public Trainer withTolerance(double relative) {
    if (!(relative >= 0)) {
      throw InvalidInputException.of(
          "no training can have a tolerance of " + relative,
          "it ends when it improves by less",
          "use 0 or more");
    }
    return new Trainer(method, maxIterations, relative, memory, l2, folder, every, seed);
  }

  /**
   * Approximates the curvature from so many steps, which mini batches do not.
   *
   * @param steps how many, at least 1; each takes two vectors of memory
   * @return a new trainer
   */
  public Trainer withMemory(int steps) {
    if (steps < 1) {
      throw InvalidInputException.of(
          "no curvature follows from " + steps + " steps",
          "it is approximated from what steps have changed",
          "use 1 or more; MLlib's estimators use 10");
    }
    return new Trainer(method, maxIterations, tolerance, steps, l2, folder, every, seed);
  }

  /**
   * Adds a penalty of half the sum of the coefficients' squares, times a strength.
   *
   * @param strength the strength, at least 0
   * @return a new trainer
   */
  public Trainer withL2(double strength) {
    double l2Strength = strength("a penalty on squares", strength);
    return new Trainer(method, maxIterations, tolerance, memory, l2Strength, folder, every, seed);
  }

  /**
   * Draws mini batches by other random numbers. With the same seed, rows and partitions all batches
   * are the same.
   *
   * @param number any; 42 unless it is said, as in MLlib
   * @return a new trainer
   */
  public Trainer withSeed(long number) {
    return new Trainer(method, maxIterations, tolerance, memory, l2, folder, every, number);
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
      throw InvalidInputException.of(
          "a state cannot be written every " + iterations + " iterations",
          "it is written after an iteration",
          "use 1 or more");
    }
    try {
      var unused = new Path(path);
    } catch (IllegalArgumentException e) {
      throw InvalidInputException.of(
          "states cannot be written to '" + path + "'",
          "that is no path of Hadoop's: " + e.getMessage(),
          "name a folder, with its file system before it where that is not the default one");
    }
    return new Trainer(method, maxIterations, tolerance, memory, l2, path, iterations, seed);
  }

  /**
   * Minimises an objective.
   *
   * @param rows the rows, in any number of partitions; each rank holds its own in memory, so that
   *     none may be changed once the next one is read
   * @param initial the coefficients where it starts
   * @param objective what is minimised, summed over all rows
   * @param <T> the rows' class
   * @return the coefficients that were found
   * @throws org.sparkcollectives.error.InvalidInputException if there are no partitions, or
   *     penalties or bounds for another number of coefficients
   * @throws org.sparkcollectives.error.CollectiveException if it fails; the cause is what the
   *     objective threw
   */
  public <T> Minimum minimise(JavaRDD<T> rows, double[] initial, Objective<T> objective) {
    if (rows.getNumPartitions() == 0) {
      throw InvalidInputException.of(
          "no training can have rows without partitions",
          "each rank has those of a partition at least",
          "give it an RDD with partitions, which may be empty");
    }
    Checkpoints checkpoints =
        folder == null
            ? null
            : new Checkpoints(folder, every, rows.context().hadoopConfiguration());
    if (method instanceof Batches batches) {
      return Descent.minimise(
          rows, batches.of(this), objective::add, initial.clone(), checkpoints, Minimum::new);
    }
    Whole whole = (Whole) method;
    return Training.minimise(
        rows,
        whole.of(this, initial.length),
        objective::add,
        l2,
        whole.start.apply(initial),
        checkpoints,
        Minimum::new);
  }
}
