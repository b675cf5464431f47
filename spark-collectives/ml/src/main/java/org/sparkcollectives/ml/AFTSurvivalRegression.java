package org.sparkcollectives.ml;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.raise_error;
import static org.apache.spark.sql.functions.when;

import breeze.linalg.DenseVector;
import breeze.optimize.LBFGS;
import java.io.Serial;
import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.aggregator.AFTBlockAggregator;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.AFTSurvivalRegressionModel;
import org.apache.spark.ml.util.DatasetUtils$;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.Instrumentation;
import org.apache.spark.ml.util.Instrumentation$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.ml.internal.bridge.HereBroadcast;
import org.sparkcollectives.ml.internal.estimator.Rows;
import org.sparkcollectives.ml.internal.rows.RowFacts;
import org.sparkcollectives.ml.internal.rows.RowKind;
import org.sparkcollectives.ml.internal.rows.Summary;
import org.sparkcollectives.ml.internal.training.Fitted;
import org.sparkcollectives.ml.internal.training.Problem;
import org.sparkcollectives.ml.internal.training.Training;
import scala.Option;

/**
 * Survival regression (accelerated failure time, Weibull) in one stage: MLlib's estimator with all
 * its parameters. It returns MLlib's model.
 */
public class AFTSurvivalRegression extends org.apache.spark.ml.regression.AFTSurvivalRegression {
  @Serial private static final long serialVersionUID = 1L;

  /** An estimator with a name of its own. */
  public AFTSurvivalRegression() {
    this(Identifiable$.MODULE$.randomUID("aftSurvReg"));
  }

  /**
   * An estimator.
   *
   * @param uid its name, which no other has
   */
  public AFTSurvivalRegression(String uid) {
    super(uid);
  }

  /**
   * A reader of estimators that were saved.
   *
   * @return the reader, which makes objects of this class
   */
  public static MLReader<org.apache.spark.ml.regression.AFTSurvivalRegression> read() {
    return new DefaultParamsReader<>();
  }

  /**
   * An estimator that was saved.
   *
   * @param path where
   * @return the estimator
   */
  public static AFTSurvivalRegression load(String path) {
    return (AFTSurvivalRegression) read().load(path);
  }

  @Override
  public AFTSurvivalRegression copy(ParamMap extra) {
    return this.<AFTSurvivalRegression>defaultCopy(extra);
  }

  /**
   * Trains; what {@code fit} calls.
   *
   * @param dataset the data
   * @return MLlib's model
   */
  @Override
  public AFTSurvivalRegressionModel train(Dataset<?> dataset) {
    @Nullable AFTSurvivalRegressionModel model =
        Instrumentation$.MODULE$.instrumented(log -> trained(dataset, log));
    return model == null ? super.train(dataset) : model;
  }

  /** The model; null where MLlib says what is wrong. */
  private @Nullable AFTSurvivalRegressionModel trained(Dataset<?> dataset, Instrumentation log) {
    log.logPipelineStage(this);
    log.logDataset(dataset);
    log.logParams(
        this,
        Rows.parameters(
            labelCol(),
            featuresCol(),
            censorCol(),
            predictionCol(),
            quantilesCol(),
            fitIntercept(),
            maxIter(),
            tol(),
            aggregationDepth(),
            maxBlockSizeInMB()));
    RDD<Instance> rows =
        Rows.of(
            dataset,
            log,
            DatasetUtils$.MODULE$.checkRegressionLabels(getLabelCol()),
            censor(), // where others have the weight
            DatasetUtils$.MODULE$.checkNonNanVectors(getFeaturesCol()));
    Optional<Fitted> fitted =
        Training.fit(
            uid(), rows, this::problem, RowKind.UNWEIGHTED, Rows.blockSize(getMaxBlockSizeInMB()));
    if (fitted.isEmpty()) {
      return null;
    }
    RowFacts facts = fitted.get().facts();
    Rows.log(log, facts);
    if (!getFitIntercept()) {
      Rows.warnOfConstants(log, "AFTSurvivalRegressionModel", facts);
    }
    if (getFitIntercept()) {
      Rows.uncentre(fitted.get());
    }
    double[] solution = fitted.get().solution(); // then intercept and logarithm of the scale
    int features = facts.features();
    return new AFTSurvivalRegressionModel(
        uid(),
        Vectors.dense(Arrays.copyOf(solution, features)),
        solution[features],
        Math.exp(solution[features + 1]));
  }

  private Problem<?> problem(Summary summary) {
    boolean intercept = getFitIntercept();
    Broadcast<double[]> means = new HereBroadcast<>(summary.scaledMeans());
    return new Problem<AFTBlockAggregator>(
        x -> new AFTBlockAggregator(means, intercept, x),
        Option.empty(),
        new LBFGS<>(getMaxIter(), Rows.MEMORY, getTol(), DenseVector.space_Double()),
        new double[summary.facts().features() + 2],
        1);
  }

  private Column censor() {
    Column censor = col(getCensorCol()).cast(DataTypes.DoubleType);
    return when(
            censor.isNull().or(censor.isNaN()), raise_error(lit("Censors MUST NOT be Null or NaN")))
        .when(
            censor.notEqual(0).and(censor.notEqual(1)),
            raise_error(concat(lit("Censors MUST be in {0, 1}, but got "), censor)))
        .otherwise(censor);
  }
}
