package org.sparkcollectives.ml;

import static java.util.Objects.requireNonNull;

import breeze.linalg.DenseVector;
import breeze.optimize.DiffFunction;
import breeze.optimize.FirstOrderMinimizer;
import java.io.Serial;
import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.WeightedLeastSquares;
import org.apache.spark.ml.optim.aggregator.HuberBlockAggregator;
import org.apache.spark.ml.optim.aggregator.LeastSquaresBlockAggregator;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.LinearRegressionModel;
import org.apache.spark.ml.util.DatasetUtils$;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.Instrumentation;
import org.apache.spark.ml.util.Instrumentation$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.ml.internal.bridge.HereBroadcast;
import org.sparkcollectives.ml.internal.bridge.Hidden;
import org.sparkcollectives.ml.internal.estimator.LinearSummary;
import org.sparkcollectives.ml.internal.estimator.Rows;
import org.sparkcollectives.ml.internal.rows.RowFacts;
import org.sparkcollectives.ml.internal.rows.RowKind;
import org.sparkcollectives.ml.internal.rows.Summary;
import org.sparkcollectives.ml.internal.training.Fitted;
import org.sparkcollectives.ml.internal.training.Problem;
import org.sparkcollectives.ml.internal.training.Training;

/**
 * Linear regression in one stage: MLlib's estimator with all its parameters, squared error and
 * Huber's loss, elastic net and weights. What MLlib solves by normal equations, in one pass over
 * the rows, it solves so too. It returns MLlib's model.
 */
public class LinearRegression extends org.apache.spark.ml.regression.LinearRegression {
  @Serial private static final long serialVersionUID = 1L;

  private static final Class<?> MLLIB = org.apache.spark.ml.regression.LinearRegression.class;

  /** An estimator with a name of its own. */
  public LinearRegression() {
    this(Identifiable$.MODULE$.randomUID("linReg"));
  }

  /**
   * An estimator.
   *
   * @param uid its name, which no other has
   */
  public LinearRegression(String uid) {
    super(uid);
  }

  /**
   * A reader of estimators that were saved.
   *
   * @return the reader, which makes objects of this class
   */
  public static MLReader<org.apache.spark.ml.regression.LinearRegression> read() {
    return new DefaultParamsReader<>();
  }

  /**
   * An estimator that was saved.
   *
   * @param path where
   * @return the estimator
   */
  public static LinearRegression load(String path) {
    return (LinearRegression) read().load(path);
  }

  @Override
  public LinearRegression copy(ParamMap extra) {
    return this.<LinearRegression>defaultCopy(extra);
  }

  /**
   * Trains; what {@code fit} calls.
   *
   * @param dataset the data
   * @return MLlib's model
   */
  @Override
  public LinearRegressionModel train(Dataset<?> dataset) {
    if (normal(dataset)) {
      return super.train(dataset);
    }
    @Nullable LinearRegressionModel model =
        Instrumentation$.MODULE$.instrumented(log -> trained(dataset, log));
    return model == null ? super.train(dataset) : model;
  }

  private boolean huber() {
    return getLoss().equals("huber");
  }

  /** Whether MLlib solves by normal equations. */
  private boolean normal(Dataset<?> dataset) {
    return !huber()
        && (getSolver().equals("normal")
            || (getSolver().equals("auto")
                && DatasetUtils$.MODULE$.getNumFeatures(dataset, getFeaturesCol())
                    <= WeightedLeastSquares.MAX_NUM_FEATURES()));
  }

  /** The model; null where MLlib trains nothing, or says what is wrong. */
  private @Nullable LinearRegressionModel trained(Dataset<?> dataset, Instrumentation log) {
    log.logPipelineStage(this);
    log.logDataset(dataset);
    log.logParams(
        this,
        Rows.parameters(
            labelCol(),
            featuresCol(),
            weightCol(),
            predictionCol(),
            solver(),
            tol(),
            elasticNetParam(),
            fitIntercept(),
            maxIter(),
            regParam(),
            standardization(),
            aggregationDepth(),
            loss(),
            epsilon(),
            maxBlockSizeInMB()));
    RDD<Instance> rows =
        Rows.of(
            dataset,
            log,
            DatasetUtils$.MODULE$.checkRegressionLabels(getLabelCol()),
            DatasetUtils$.MODULE$.checkNonNegativeWeights(get(weightCol())),
            DatasetUtils$.MODULE$.checkNonNanVectors(getFeaturesCol()));
    Optional<Fitted> fitted =
        Training.fit(
            uid(), rows, this::problem, RowKind.NUMBERS, Rows.blockSize(getMaxBlockSizeInMB()));
    if (fitted.isEmpty()) {
      return null;
    }
    Rows.log(log, fitted.get().facts());
    if (!getFitIntercept()) {
      Rows.warnOfConstants(log, "LinearRegressionModel", fitted.get().facts());
    }
    LinearRegressionModel model = this.copyValues(model(fitted.get()), new ParamMap());
    return LinearSummary.added(model, dataset, this, fitted.get().history());
  }

  /** The model; of least squares coefficients are of a label that is scaled too. */
  private LinearRegressionModel model(Fitted fitted) {
    RowFacts facts = fitted.facts();
    if (huber()) {
      if (getFitIntercept()) {
        Rows.uncentre(fitted);
      }
      double[] solution = fitted.solution(); // then intercept and scale
      return new LinearRegressionModel(
          uid(),
          Vectors.dense(Arrays.copyOf(solution, facts.features())).compressed(),
          getFitIntercept() ? solution[facts.features()] : 0,
          solution[solution.length - 1]);
    }
    double[] coefficients = fitted.solution();
    for (int i = 0; i < coefficients.length; i++) {
      coefficients[i] *= facts.labelDeviation();
    }
    double offset = facts.labelDeviation() * fitted.offsets()[0];
    return new LinearRegressionModel(
        uid(),
        Vectors.dense(coefficients).compressed(),
        getFitIntercept() ? facts.labelMean() - offset : 0);
  }

  /** What ranks minimise; null where all labels are the same, which MLlib solves otherwise. */
  @SuppressWarnings("unchecked")
  private @Nullable Problem<?> problem(Summary summary) {
    double mean = summary.facts().labelMean();
    double deviation = summary.facts().labelDeviation();
    if (deviation == 0) {
      return null;
    }
    int features = summary.facts().features();
    double[] deviations = summary.deviations();
    double strength = huber() ? getRegParam() : getRegParam() / deviation;
    double l1 = getElasticNetParam() * strength;
    double l2 = (1 - getElasticNetParam()) * strength;
    var penalty = Rows.penalty(l2, features, deviations, 1, getStandardization());
    var minimizer =
        (FirstOrderMinimizer<DenseVector<Object>, DiffFunction<DenseVector<Object>>>)
            requireNonNull(
                Hidden.call(MLLIB, this, "createOptimizer", strength, l1, features, deviations));
    Broadcast<double[]> means = new HereBroadcast<>(summary.scaledMeans());
    boolean intercept = getFitIntercept();
    if (!huber()) {
      Broadcast<double[]> scales = new HereBroadcast<>(summary.scales());
      return new Problem<LeastSquaresBlockAggregator>(
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
    double epsilon = getEpsilon(); // and of scales this aggregator asks for the number alone
    return new Problem<HuberBlockAggregator>(
        x -> new HuberBlockAggregator(means, means, intercept, epsilon, x),
        penalty,
        minimizer,
        initial,
        1);
  }
}
