package org.sparkcollectives.ml.internal.training;

import static java.util.Objects.requireNonNull;

import breeze.linalg.DenseVector;
import breeze.optimize.FirstOrderMinimizer.State;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.Updater;
import org.apache.spark.rdd.RDD;
import org.apache.spark.util.random.RandomSampler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.ml.internal.bridge.DenseVectors;
import org.sparkcollectives.ml.internal.bridge.Hidden;
import org.sparkcollectives.ml.internal.minimizer.Optimizer;
import org.sparkcollectives.ml.internal.objective.CostObjective;
import org.sparkcollectives.ml.internal.objective.MiniBatches;
import org.sparkcollectives.ml.internal.objective.RowGradients;
import org.sparkcollectives.ml.internal.rows.LastingRows;
import org.sparkcollectives.ml.internal.rows.PartitionRows;
import org.sparkcollectives.ml.internal.rows.RowsFunction;
import org.sparkcollectives.ml.internal.state.Checkpoints;
import scala.Tuple2;
import scala.collection.Iterator;

/**
 * Trainings of {@code org.apache.spark.mllib.optimization}, each in one stage: a gradient for each
 * row, and an updater that takes the steps. Factorization machines, perceptrons and the generalized
 * linear models of {@code mllib} train so. And those of users' objectives by mini batches.
 */
public final class Descent {
  private static final Logger LOG = LoggerFactory.getLogger(Descent.class);

  private Descent() {}

  /**
   * What {@code GradientDescent.runMiniBatchSGD} does.
   *
   * @param rows a label and features each
   * @param how the parameters
   * @return the coefficients, and the loss of each batch; nothing where there are no partitions, or
   *     where batches are to have more than all rows, so that the caller goes on by itself
   * @throws org.sparkcollectives.error.InvalidInputException if the gradient or the updater is not
   *     known here
   */
  public static Optional<Tuple2<Vector, double[]>> miniBatches(
      RDD<Tuple2<Object, Vector>> rows, MiniBatches how) {
    int partitions = rows.getNumPartitions();
    if (partitions == 0 || how.fraction() > 1 + RandomSampler.roundingEpsilon()) {
      return Optional.empty();
    }
    if (!RowGradients.known(how.gradient(), how.updater())) {
      throw unknown(how.gradient(), how.updater());
    }
    if (how.fraction() < 1 && how.tolerance() > 0) {
      LOG.warn(
          "Ending by a tolerance is unstable with a fraction of the rows in each batch: what"
              + " changes is the sample, too");
    }
    if (how.iterations() * how.fraction() < 1) {
      LOG.warn(
          "Not all rows will be used: there are {} batches of a fraction {} of the rows each",
          how.iterations(),
          how.fraction());
    }
    String name = name(rows);
    String training = TrainingProgress.unique(name);
    MllibBatchProgram program =
        new MllibBatchProgram(
            training, how, partitions, Checkpoints.next(rows.context(), "batches"));
    long began = System.nanoTime();
    MiniBatchProgram.Ended ended =
        Training.ran(PartitionRows.of(LastingRows.of(rows)).rdd(), program).get(0);
    Trained trained = ended.trained();
    if (trained.objective.length == 0) {
      LOG.warn("{}: the coefficients are those of the start: no batch had rows", training);
    } else {
      Training.tell(rows, training, name, trained, System.nanoTime() - began);
    }
    warnOfFewRows(training, how.fraction(), ended);
    return Optional.of(
        new Tuple2<>(org.apache.spark.mllib.linalg.Vectors.dense(trained.x), trained.objective));
  }

  /**
   * Minimises an objective by mini batches in one barrier stage.
   *
   * @param rows the rows
   * @param how the parameters
   * @param objective what rows add to the objective
   * @param initial where it starts
   * @param checkpoints where states are kept beyond the application, or null
   * @param end makes the result
   * @param <T> the rows' class
   * @param <R> the result's class
   * @return the result
   */
  public static <T, R> R minimise(
      JavaRDD<T> rows,
      OwnBatches how,
      RowsFunction<T> objective,
      double[] initial,
      @Nullable Checkpoints checkpoints,
      Training.End<R> end) {
    String name = name(rows.rdd());
    String training = TrainingProgress.unique(name);
    OwnBatchProgram<T> program =
        new OwnBatchProgram<>(
            training, how, rows.getNumPartitions(), objective, initial, checkpoints);
    long began = System.nanoTime();
    MiniBatchProgram.Ended ended;
    try (RankResults<MiniBatchProgram.Ended> results =
        RankResults.of(PartitionRows.of(rows.rdd()).rdd(), Training.OPERATION, program)) {
      ended = results.of(0).get(0);
    }
    Trained trained = ended.trained();
    Training.tell(rows.rdd(), training, name, trained, System.nanoTime() - began);
    warnOfFewRows(training, how.fraction(), ended);
    return end.of(trained.x, trained.history(), trained.reason, trained.resumedAt);
  }

  /** Warns of batches that have no rows, and of a fraction by which many of them have none. */
  private static void warnOfFewRows(
      String training, double fraction, MiniBatchProgram.Ended ended) {
    if (ended.rows() > 0 && ended.rows() * fraction < 1) {
      LOG.warn(
          "{}: a batch has less than one row on average, a fraction {} of {}: raise the fraction",
          training,
          fraction,
          ended.rows());
    }
    if (ended.empty() > 0) {
      LOG.warn(
          "{}: batches without rows, which changed nothing: {} of {}",
          training,
          ended.empty(),
          ended.trained().last - ended.trained().resumedAt);
    }
  }

  /**
   * The states of an optimisation by {@code mllib.optimization.LBFGS}.
   *
   * @param cost MLlib's function
   * @param optimizer how it is minimised
   * @param initial where it starts
   */
  @SuppressWarnings("unchecked")
  static Optional<Iterator<State<?, ?, ?>>> iterations(
      Object cost, Optimizer optimizer, DenseVector<Object> initial) {
    RDD<Tuple2<Object, Vector>> rows =
        (RDD<Tuple2<Object, Vector>>) requireNonNull(Hidden.field(cost, "data"));
    Gradient gradient = (Gradient) requireNonNull(Hidden.field(cost, "gradient"));
    Updater updater = (Updater) requireNonNull(Hidden.field(cost, "updater"));
    double regParam = (double) requireNonNull(Hidden.field(cost, "regParam"));
    long examples = (long) requireNonNull(Hidden.field(cost, "numExamples"));
    if (rows.getNumPartitions() == 0) {
      return Optional.empty();
    }
    if (!RowGradients.known(gradient, updater) || RowGradients.remembers(updater)) {
      throw unknown(gradient, updater);
    }
    String name = name(rows);
    String training = TrainingProgress.unique(name);
    RankProgram<Tuple2<Object, Vector>> program =
        new RankProgram<>(
            training,
            (communicator, own) ->
                new CostObjective(communicator, own, gradient, updater, regParam, examples),
            optimizer,
            Vectors.dense(DenseVectors.array(initial)).compressed(),
            Checkpoints.next(rows.context(), "training"),
            Placing.of(rows.context()));
    long began = System.nanoTime();
    Trained trained = Training.joined(LastingRows.of(rows), program);
    Training.tell(rows, training, name, trained, System.nanoTime() - began);
    return Optional.of(Training.states(trained));
  }

  private static InvalidInputException unknown(Gradient gradient, Updater updater) {
    return Training.stepByStep(
        "the library does not know the gradient "
            + gradient.getClass().getName()
            + " with the updater "
            + updater.getClass().getName());
  }

  private static String name(RDD<?> rows) {
    return rows.name() == null ? "training" : rows.name();
  }
}
