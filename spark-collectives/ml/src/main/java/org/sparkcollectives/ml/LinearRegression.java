package org.sparkcollectives.ml;

import static java.util.Objects.requireNonNull;

import breeze.linalg.DenseVector;
import breeze.optimize.DiffFunction;
import breeze.optimize.FirstOrderMinimizer;
import java.io.Serial;
import java.util.Arrays;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.optim.WeightedLeastSquares;
import org.apache.spark.ml.optim.loss.L2Regularization;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.LinearRegressionModel;
import org.apache.spark.ml.stat.Summarizer$;
import org.apache.spark.ml.stat.SummarizerBuffer;
import org.apache.spark.ml.util.DatasetUtils$;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.Instrumentation;
import org.apache.spark.ml.util.Instrumentation$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.ml.internal.estimator.LinearSummary;
import org.sparkcollectives.ml.internal.estimator.Rows;
import org.sparkcollectives.ml.internal.training.Hidden;
import org.sparkcollectives.ml.internal.training.OneStage;
import scala.Option;
import scala.Tuple2;

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
    Tuple2<SummarizerBuffer, SummarizerBuffer> summaries =
        Summarizer$.MODULE$.getRegressionSummarizers(rows, getAggregationDepth(), Rows.METRICS);
    double mean = summaries._2().mean().apply(0);
    double deviation = summaries._2().std().apply(0);
    if (deviation == 0) {
      return null;
    }
    double[] means = summaries._1().mean().toArray();
    double[] deviations = summaries._1().std().toArray();
    log.logNumFeatures(means.length);
    log.logNumExamples(summaries._2().count());
    log.logSumOfWeights(summaries._1().weightSum());
    if (!getFitIntercept()) {
      Rows.warnOfConstants(log, "LinearRegressionModel", means, deviations);
    }
    Tuple2<double[], double[]> solution = solve(rows, mean, deviation, means, deviations);
    LinearRegressionModel model =
        (LinearRegressionModel)
            requireNonNull(
                Hidden.call(
                    MLLIB, this, "createModel", solution._1(), mean, deviation, means, deviations));
    return LinearSummary.added(model, dataset, this, solution._2());
  }

  @SuppressWarnings("unchecked")
  private Tuple2<double[], double[]> solve(
      RDD<Instance> rows, double mean, double deviation, double[] means, double[] deviations) {
    int features = means.length;
    double strength = huber() ? getRegParam() : getRegParam() / deviation;
    double l1 = getElasticNetParam() * strength;
    double l2 = (1 - getElasticNetParam()) * strength;
    Option<L2Regularization> penalty =
        l2 == 0
            ? Option.empty()
            : Option.apply(
                new L2Regularization(
                    l2,
                    Rows.below(features),
                    Rows.deviations(deviations, 1, getStandardization())));
    var optimizer =
        (FirstOrderMinimizer<DenseVector<Object>, DiffFunction<DenseVector<Object>>>)
            requireNonNull(
                Hidden.call(MLLIB, this, "createOptimizer", strength, l1, features, deviations));
    double[] initial = new double[huber() ? features + (getFitIntercept() ? 2 : 1) : features];
    Arrays.fill(initial, huber() ? 1 : 0);
    return (Tuple2<double[], double[]>)
        requireNonNull(
            Hidden.call(
                MLLIB,
                this,
                "trainImpl",
                rows,
                Rows.blockSize(getMaxBlockSizeInMB()),
                mean,
                deviation,
                means,
                deviations,
                initial,
                penalty,
                new OneStage(optimizer)));
  }
}
