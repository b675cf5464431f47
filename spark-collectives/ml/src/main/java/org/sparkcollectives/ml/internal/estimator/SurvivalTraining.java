package org.sparkcollectives.ml.internal.estimator;

import breeze.linalg.DenseVector;
import breeze.optimize.LBFGS;
import java.io.Serial;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.aggregator.AFTBlockAggregator;
import org.apache.spark.ml.regression.AFTSurvivalRegression;
import org.apache.spark.ml.regression.AFTSurvivalRegressionModel;
import org.apache.spark.ml.util.Instrumentation;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.ml.internal.bridge.HereBroadcast;
import org.sparkcollectives.ml.internal.rows.RowFacts;
import org.sparkcollectives.ml.internal.rows.RowKind;
import org.sparkcollectives.ml.internal.rows.Summary;
import org.sparkcollectives.ml.internal.training.Fitted;
import org.sparkcollectives.ml.internal.training.MinimizationProblem;
import org.sparkcollectives.ml.internal.training.Training;
import scala.Option;

/** Survival regression in one stage, from data to the model of MLlib's estimator. */
public final class SurvivalTraining implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  private final AFTSurvivalRegression estimator;

  private SurvivalTraining(AFTSurvivalRegression estimator) {
    this.estimator = estimator;
  }

  /**
   * What MLlib's {@code train} does.
   *
   * @param estimator the estimator
   * @param dataset the data
   * @param log where it says what it does
   * @return the model; nothing where MLlib trains nothing, or says what is wrong
   */
  public static Optional<AFTSurvivalRegressionModel> trained(
      AFTSurvivalRegression estimator, Dataset<?> dataset, Instrumentation log) {
    return Optional.ofNullable(new SurvivalTraining(estimator).trained(dataset, log));
  }

  /** The model; null where MLlib says what is wrong. */
  private @Nullable AFTSurvivalRegressionModel trained(Dataset<?> dataset, Instrumentation log) {
    log.logPipelineStage(estimator);
    log.logParams(
        estimator,
        Rows.parameters(
            estimator.labelCol(),
            estimator.featuresCol(),
            estimator.censorCol(),
            estimator.predictionCol(),
            estimator.quantilesCol(),
            estimator.fitIntercept(),
            estimator.maxIter(),
            estimator.tol(),
            estimator.aggregationDepth(),
            estimator.maxBlockSizeInMB()));
    log.logNamedValue(
        "quantileProbabilities.size", (long) estimator.getQuantileProbabilities().length);
    RDD<Instance> rows =
        Rows.of(
            dataset,
            log,
            estimator.getLabelCol(),
            Rows.number(estimator.getCensorCol()), // where others have the weight
            estimator.getFeaturesCol());
    Optional<Fitted> fitted =
        Training.fit(
            estimator.uid(),
            rows,
            this::problem,
            RowKind.LIFETIMES,
            true,
            Rows.blockSize(estimator.getMaxBlockSizeInMB(), log));
    if (fitted.isEmpty()) {
      return null;
    }
    RowFacts facts = fitted.get().facts();
    Rows.log(log, facts);
    if (!estimator.getFitIntercept()) {
      Rows.warnOfConstants(log, "AFTSurvivalRegressionModel", facts);
    }
    if (estimator.getFitIntercept()) {
      Rows.uncentre(fitted.get());
    }
    double[] solution = fitted.get().solution(); // then intercept and logarithm of the scale
    int features = facts.features();
    return new AFTSurvivalRegressionModel(
        estimator.uid(),
        Vectors.dense(Arrays.copyOf(solution, features)),
        solution[features],
        Math.exp(solution[features + 1]));
  }

  private MinimizationProblem<?> problem(Summary summary) {
    boolean intercept = estimator.getFitIntercept();
    Broadcast<double[]> means = new HereBroadcast<>(summary.scaledMeans());
    return new MinimizationProblem<AFTBlockAggregator>(
        x -> new AFTBlockAggregator(means, intercept, x),
        Option.empty(),
        new LBFGS<>(
            estimator.getMaxIter(), Rows.MEMORY, estimator.getTol(), DenseVector.space_Double()),
        new double[summary.features() + 2],
        1);
  }
}
