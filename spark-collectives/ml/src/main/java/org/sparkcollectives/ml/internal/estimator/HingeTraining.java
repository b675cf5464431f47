package org.sparkcollectives.ml.internal.estimator;

import static java.util.Objects.requireNonNull;

import breeze.linalg.DenseVector;
import breeze.optimize.OWLQN;
import java.io.Serial;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.classification.LinearSVC;
import org.apache.spark.ml.classification.LinearSVCModel;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.aggregator.HingeBlockAggregator;
import org.apache.spark.ml.util.Instrumentation;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.ml.internal.bridge.HereBroadcast;
import org.sparkcollectives.ml.internal.bridge.Hidden;
import org.sparkcollectives.ml.internal.rows.RowKind;
import org.sparkcollectives.ml.internal.rows.Summary;
import org.sparkcollectives.ml.internal.training.Fitted;
import org.sparkcollectives.ml.internal.training.MinimizationProblem;
import org.sparkcollectives.ml.internal.training.Training;

/** A linear support vector machine in one stage, from data to the model of MLlib's estimator. */
public final class HingeTraining implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  private static final Class<?> MLLIB = LinearSVC.class;

  private final LinearSVC estimator;

  private HingeTraining(LinearSVC estimator) {
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
  public static Optional<LinearSVCModel> trained(
      LinearSVC estimator, Dataset<?> dataset, Instrumentation log) {
    return Optional.ofNullable(new HingeTraining(estimator).trained(dataset, log));
  }

  /** The model; null where MLlib says what is wrong. */
  private @Nullable LinearSVCModel trained(Dataset<?> dataset, Instrumentation log) {
    log.logPipelineStage(estimator);
    log.logParams(
        estimator,
        Rows.parameters(
            estimator.labelCol(),
            estimator.weightCol(),
            estimator.featuresCol(),
            estimator.predictionCol(),
            estimator.rawPredictionCol(),
            estimator.regParam(),
            estimator.maxIter(),
            estimator.fitIntercept(),
            estimator.tol(),
            estimator.standardization(),
            estimator.threshold(),
            estimator.aggregationDepth(),
            estimator.maxBlockSizeInMB()));
    RDD<Instance> rows =
        Rows.of(
            dataset,
            log,
            estimator.getLabelCol(),
            Rows.weights(estimator.get(estimator.weightCol())),
            estimator.getFeaturesCol());
    int declared = Rows.declaredClasses(dataset, estimator.getLabelCol());
    Optional<Fitted> fitted =
        Training.fit(
            estimator.uid(),
            rows,
            summary -> problem(summary, declared),
            RowKind.TWO_CLASSES,
            true,
            Rows.blockSize(estimator.getMaxBlockSizeInMB(), log));
    if (fitted.isEmpty()) {
      return null;
    }
    int features = fitted.get().facts().features();
    log.logNumClasses(2);
    Rows.log(log, fitted.get().facts());
    if (estimator.getFitIntercept()) {
      Rows.uncentre(fitted.get());
    }
    double[] solution = fitted.get().solution();
    Vector coefficients = Vectors.dense(Arrays.copyOf(solution, features));
    boolean compressed = !dataset.sparkSession().version().startsWith("3."); // as MLlib's are
    return (LinearSVCModel)
        requireNonNull(
            Hidden.call(
                MLLIB,
                estimator,
                "createModel",
                dataset,
                compressed ? coefficients.compressed() : coefficients,
                estimator.getFitIntercept() ? solution[features] : 0.0,
                fitted.get().history()));
  }

  /** What ranks minimise; null where MLlib says what is wrong. */
  private @Nullable MinimizationProblem<?> problem(Summary summary, int declared) {
    int labels = summary.facts().histogram().length;
    if ((declared < 0 ? labels : declared) != 2) { // there are no more labels
      return null;
    }
    int features = summary.features();
    boolean intercept = estimator.getFitIntercept();
    // MLlib's aggregator asks scales for their number alone.
    Broadcast<double[]> means = new HereBroadcast<>(summary.scaledMeans());
    return new MinimizationProblem<HingeBlockAggregator>(
        x -> new HingeBlockAggregator(means, means, intercept, x),
        Rows.penalty(
            estimator.getRegParam(),
            features,
            summary.deviations(),
            1,
            estimator.getStandardization()),
        new OWLQN<>(
            estimator.getMaxIter(),
            Rows.MEMORY,
            Rows.NO_L1,
            estimator.getTol(),
            DenseVector.space_Double()),
        new double[intercept ? features + 1 : features],
        1);
  }
}
