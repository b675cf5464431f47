package org.sparkcollectives.ml.internal.estimator;

import static java.util.Objects.requireNonNull;

import breeze.linalg.DenseVector;
import breeze.optimize.DiffFunction;
import breeze.optimize.FirstOrderMinimizer;
import java.io.Serial;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.WeightedLeastSquares;
import org.apache.spark.ml.optim.aggregator.HuberBlockAggregator;
import org.apache.spark.ml.optim.aggregator.LeastSquaresBlockAggregator;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.ml.regression.LinearRegressionModel;
import org.apache.spark.ml.util.DatasetUtils$;
import org.apache.spark.ml.util.Instrumentation;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.ml.internal.bridge.HereBroadcast;
import org.sparkcollectives.ml.internal.bridge.Hidden;
import org.sparkcollectives.ml.internal.rows.RowFacts;
import org.sparkcollectives.ml.internal.rows.RowKind;
import org.sparkcollectives.ml.internal.rows.Summary;
import org.sparkcollectives.ml.internal.training.Fitted;
import org.sparkcollectives.ml.internal.training.MinimizationProblem;
import org.sparkcollectives.ml.internal.training.Training;

/** Linear regression in one stage, from data to the model of MLlib's estimator. */
public final class LinearTraining implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  private static final Class<?> MLLIB = LinearRegression.class;

  private final LinearRegression estimator;

  private LinearTraining(LinearRegression estimator) {
    this.estimator = estimator;
  }

  /**
   * What MLlib's {@code train} does.
   *
   * @param estimator the estimator
   * @param dataset the data
   * @param log where it says what it does
   * @return the model; nothing where MLlib solves by normal equations, trains nothing, or says what
   *     is wrong
   */
  public static Optional<LinearRegressionModel> trained(
      LinearRegression estimator, Dataset<?> dataset, Instrumentation log) {
    return trained(
        estimator,
        dataset,
        log,
        () -> DatasetUtils$.MODULE$.getNumFeatures(dataset, estimator.getFeaturesCol()));
  }

  /**
   * As {@link #trained}, where MLlib's loop is taken over in any case: no job asks the first row
   * how many features there are, on which it may depend whether MLlib iterates.
   *
   * @param estimator the estimator
   * @param dataset the data
   * @param log where it says what it does
   * @return the model; nothing also where only the rows tell how MLlib solves
   */
  public static Optional<LinearRegressionModel> trainedIfKnown(
      LinearRegression estimator, Dataset<?> dataset, Instrumentation log) {
    return trained(
        estimator, dataset, log, () -> Rows.declaredFeatures(dataset, estimator.getFeaturesCol()));
  }

  private static Optional<LinearRegressionModel> trained(
      LinearRegression estimator, Dataset<?> dataset, Instrumentation log, IntSupplier features) {
    LinearTraining training = new LinearTraining(estimator);
    return training.normal(features)
        ? Optional.empty()
        : Optional.ofNullable(training.trained(dataset, log));
  }

  private boolean huber() {
    return estimator.getLoss().equals("huber");
  }

  /** Whether MLlib solves by normal equations; features are counted if that depends on them. */
  private boolean normal(IntSupplier features) {
    return !huber()
        && (estimator.getSolver().equals("normal")
            || (estimator.getSolver().equals("auto")
                && features.getAsInt() <= WeightedLeastSquares.MAX_NUM_FEATURES()));
  }

  /** The model; null where MLlib trains nothing, or says what is wrong. */
  private @Nullable LinearRegressionModel trained(Dataset<?> dataset, Instrumentation log) {
    log.logPipelineStage(estimator);
    log.logParams(
        estimator,
        Rows.parameters(
            estimator.labelCol(),
            estimator.featuresCol(),
            estimator.weightCol(),
            estimator.predictionCol(),
            estimator.solver(),
            estimator.tol(),
            estimator.elasticNetParam(),
            estimator.fitIntercept(),
            estimator.maxIter(),
            estimator.regParam(),
            estimator.standardization(),
            estimator.aggregationDepth(),
            estimator.loss(),
            estimator.epsilon(),
            estimator.maxBlockSizeInMB()));
    RDD<Instance> rows =
        Rows.of(
            dataset,
            log,
            estimator.getLabelCol(),
            Rows.weights(estimator.get(estimator.weightCol())),
            estimator.getFeaturesCol());
    int declared = Rows.declaredFeatures(dataset, estimator.getFeaturesCol());
    Optional<Fitted> fitted =
        Training.fit(
            estimator.uid(),
            rows,
            summary -> problem(summary, declared),
            RowKind.NUMBERS,
            !huber(), // whose coefficients start at 1
            Rows.blockSize(estimator.getMaxBlockSizeInMB(), log));
    if (fitted.isEmpty()) {
      return null;
    }
    RowFacts facts = fitted.get().facts();
    Rows.log(log, facts);
    log.logNamedValue("meanOfLabels", facts.labelMean());
    log.logNamedValue("varianceOfLabels", facts.labelDeviation());
    if (!estimator.getFitIntercept()) {
      Rows.warnOfConstants(log, "LinearRegressionModel", facts);
    }
    LinearRegressionModel model = estimator.copyValues(model(fitted.get()), new ParamMap());
    return LinearSummary.added(model, dataset, estimator, fitted.get().history());
  }

  /** The model; of least squares coefficients are of a label that is scaled too. */
  private LinearRegressionModel model(Fitted fitted) {
    RowFacts facts = fitted.facts();
    if (huber()) {
      if (estimator.getFitIntercept()) {
        Rows.uncentre(fitted);
      }
      double[] solution = fitted.solution(); // then intercept and scale
      return new LinearRegressionModel(
          estimator.uid(),
          Vectors.dense(Arrays.copyOf(solution, facts.features())).compressed(),
          estimator.getFitIntercept() ? solution[facts.features()] : 0,
          solution[solution.length - 1]);
    }
    double[] coefficients = fitted.solution();
    for (int i = 0; i < coefficients.length; i++) {
      coefficients[i] *= facts.labelDeviation();
    }
    double offset = facts.labelDeviation() * fitted.offsets()[0];
    return new LinearRegressionModel(
        estimator.uid(),
        Vectors.dense(coefficients).compressed(),
        estimator.getFitIntercept() ? facts.labelMean() - offset : 0);
  }

  /**
   * What ranks minimise; null where all labels are the same, which MLlib solves otherwise, where
   * one is no number or the squares of their differences are infinite, of which MLlib makes what it
   * can, and where vectors are not as long as their column says, which MLlib refuses.
   */
  @SuppressWarnings("unchecked")
  private @Nullable MinimizationProblem<?> problem(Summary summary, int declared) {
    double mean = summary.facts().labelMean();
    double deviation = summary.facts().labelDeviation();
    int features = summary.features();
    boolean divides = deviation > 0 && Double.isFinite(deviation);
    if (!divides || (declared >= 0 && declared != summary.facts().features())) {
      return null;
    }
    double[] deviations = summary.deviations();
    double strength = huber() ? estimator.getRegParam() : estimator.getRegParam() / deviation;
    double l1 = estimator.getElasticNetParam() * strength;
    double l2 = (1 - estimator.getElasticNetParam()) * strength;
    var penalty = Rows.penalty(l2, features, deviations, 1, estimator.getStandardization());
    var minimizer =
        (FirstOrderMinimizer<DenseVector<Object>, DiffFunction<DenseVector<Object>>>)
            requireNonNull(
                Hidden.call(
                    MLLIB, estimator, "createOptimizer", strength, l1, features, deviations));
    Broadcast<double[]> means = new HereBroadcast<>(summary.scaledMeans());
    boolean intercept = estimator.getFitIntercept();
    if (!huber()) {
      Broadcast<double[]> scales = new HereBroadcast<>(summary.scales());
      return new MinimizationProblem<LeastSquaresBlockAggregator>(
          x -> new LeastSquaresBlockAggregator(scales, means, intercept, deviation, mean, x),
          penalty,
          minimizer,
          new double[features],
          1);
    }
    double[] initial = new double[features + (intercept ? 2 : 1)];
    Arrays.fill(initial, 1);
    if (intercept) {
      Rows.centre(initial, means.value(), 1);
    }
    double epsilon =
        estimator.getEpsilon(); // and of scales this aggregator asks for the number alone
    return new MinimizationProblem<HuberBlockAggregator>(
        x -> new HuberBlockAggregator(means, means, intercept, epsilon, x),
        penalty,
        minimizer,
        initial,
        1);
  }
}
