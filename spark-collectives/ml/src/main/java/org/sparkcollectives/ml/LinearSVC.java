package org.sparkcollectives.ml;

import static java.util.Objects.requireNonNull;

import breeze.linalg.DenseVector;
import breeze.optimize.OWLQN;
import java.io.Serial;
import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.classification.LinearSVCModel;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.aggregator.HingeBlockAggregator;
import org.apache.spark.ml.param.ParamMap;
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
import org.sparkcollectives.ml.internal.estimator.Rows;
import org.sparkcollectives.ml.internal.rows.RowKind;
import org.sparkcollectives.ml.internal.rows.Summary;
import org.sparkcollectives.ml.internal.training.Fitted;
import org.sparkcollectives.ml.internal.training.Problem;
import org.sparkcollectives.ml.internal.training.Training;
import scala.Option;

/**
 * A linear support vector machine in one stage: MLlib's estimator with all its parameters. It
 * returns MLlib's model.
 */
public class LinearSVC extends org.apache.spark.ml.classification.LinearSVC {
  @Serial private static final long serialVersionUID = 1L;

  private static final Class<?> MLLIB = org.apache.spark.ml.classification.LinearSVC.class;

  /** An estimator with a name of its own. */
  public LinearSVC() {
    this(Identifiable$.MODULE$.randomUID("linearsvc"));
  }

  /**
   * An estimator.
   *
   * @param uid its name, which no other has
   */
  public LinearSVC(String uid) {
    super(uid);
  }

  /**
   * A reader of estimators that were saved.
   *
   * @return the reader, which makes objects of this class
   */
  public static MLReader<org.apache.spark.ml.classification.LinearSVC> read() {
    return new DefaultParamsReader<>();
  }

  /**
   * An estimator that was saved.
   *
   * @param path where
   * @return the estimator
   */
  public static LinearSVC load(String path) {
    return (LinearSVC) read().load(path);
  }

  @Override
  public LinearSVC copy(ParamMap extra) {
    return this.<LinearSVC>defaultCopy(extra);
  }

  /**
   * Trains; what {@code fit} calls.
   *
   * @param dataset the data
   * @return MLlib's model
   */
  @Override
  public LinearSVCModel train(Dataset<?> dataset) {
    @Nullable LinearSVCModel model =
        Instrumentation$.MODULE$.instrumented(log -> trained(dataset, log));
    return model == null ? super.train(dataset) : model;
  }

  /** The model; null where MLlib says what is wrong. */
  private @Nullable LinearSVCModel trained(Dataset<?> dataset, Instrumentation log) {
    log.logPipelineStage(this);
    log.logDataset(dataset);
    log.logParams(
        this,
        Rows.parameters(
            labelCol(),
            weightCol(),
            featuresCol(),
            regParam(),
            maxIter(),
            fitIntercept(),
            tol(),
            standardization(),
            threshold(),
            aggregationDepth(),
            maxBlockSizeInMB()));
    RDD<Instance> rows =
        Rows.of(
            dataset,
            log,
            DatasetUtils$.MODULE$.checkClassificationLabels(getLabelCol(), Option.apply(2)),
            DatasetUtils$.MODULE$.checkNonNegativeWeights(get(weightCol())),
            DatasetUtils$.MODULE$.checkNonNanVectors(getFeaturesCol()));
    int declared = Rows.declaredClasses(dataset, getLabelCol());
    Optional<Fitted> fitted =
        Training.fit(
            uid(),
            rows,
            summary -> problem(summary, declared),
            RowKind.CLASSES,
            Rows.blockSize(getMaxBlockSizeInMB()));
    if (fitted.isEmpty()) {
      return null;
    }
    int features = fitted.get().facts().features();
    log.logNumClasses(2);
    Rows.log(log, fitted.get().facts());
    if (getFitIntercept()) {
      Rows.uncentre(fitted.get());
    }
    double[] solution = fitted.get().solution();
    return (LinearSVCModel)
        requireNonNull(
            Hidden.call(
                MLLIB,
                this,
                "createModel",
                dataset,
                Vectors.dense(Arrays.copyOf(solution, features)).compressed(),
                getFitIntercept() ? solution[features] : 0.0,
                fitted.get().history()));
  }

  /** What ranks minimise; null where MLlib says what is wrong. */
  private @Nullable Problem<?> problem(Summary summary, int declared) {
    int labels = summary.facts().histogram().length;
    int classes = declared < 0 ? labels : declared;
    if (classes < labels || classes != 2) {
      return null;
    }
    int features = summary.facts().features();
    boolean intercept = getFitIntercept();
    // MLlib's aggregator asks scales for their number alone.
    Broadcast<double[]> means = new HereBroadcast<>(summary.scaledMeans());
    return new Problem<HingeBlockAggregator>(
        x -> new HingeBlockAggregator(means, means, intercept, x),
        Rows.penalty(getRegParam(), features, summary.deviations(), 1, getStandardization()),
        new OWLQN<>(getMaxIter(), Rows.MEMORY, Rows.NO_L1, getTol(), DenseVector.space_Double()),
        new double[intercept ? features + 1 : features],
        1);
  }
}
