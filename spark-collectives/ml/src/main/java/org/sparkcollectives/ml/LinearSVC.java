package org.sparkcollectives.ml;

import static java.util.Objects.requireNonNull;

import breeze.linalg.DenseVector;
import breeze.optimize.OWLQN;
import java.io.Serial;
import org.apache.spark.ml.classification.LinearSVCModel;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.loss.L2Regularization;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.stat.MultiClassSummarizer;
import org.apache.spark.ml.stat.Summarizer$;
import org.apache.spark.ml.stat.SummarizerBuffer;
import org.apache.spark.ml.util.DatasetUtils$;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.Instrumentation;
import org.apache.spark.ml.util.Instrumentation$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MetadataUtils$;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.ml.internal.estimator.Rows;
import org.sparkcollectives.ml.internal.training.Hidden;
import org.sparkcollectives.ml.internal.training.OneStage;
import scala.Option;
import scala.Tuple2;

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
  @SuppressWarnings("unchecked")
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
    Tuple2<SummarizerBuffer, MultiClassSummarizer> summaries =
        Summarizer$.MODULE$.getClassificationSummarizers(rows, getAggregationDepth(), Rows.METRICS);
    int labels = summaries._2().histogram().length;
    int classes =
        MetadataUtils$.MODULE$
            .getNumClasses(dataset.schema().apply(getLabelCol()))
            .map(n -> (int) n)
            .getOrElse(() -> labels);
    if (summaries._2().countInvalid() != 0 || classes < labels || classes != 2) {
      return null;
    }
    double[] means = summaries._1().mean().toArray();
    double[] deviations = summaries._1().std().toArray();
    int features = means.length;
    log.logNumClasses(classes);
    log.logNumFeatures(features);
    log.logNumExamples(summaries._1().count());
    log.logSumOfWeights(summaries._1().weightSum());

    Option<L2Regularization> penalty =
        getRegParam() == 0
            ? Option.empty()
            : Option.apply(
                new L2Regularization(
                    getRegParam(),
                    Rows.below(features),
                    Rows.deviations(deviations, 1, getStandardization())));
    OWLQN<Object, DenseVector<Object>> optimizer =
        new OWLQN<>(getMaxIter(), Rows.MEMORY, Rows.NO_L1, getTol(), DenseVector.space_Double());
    Tuple2<double[], double[]> solution =
        (Tuple2<double[], double[]>)
            requireNonNull(
                Hidden.call(
                    MLLIB,
                    this,
                    "trainImpl",
                    rows,
                    Rows.blockSize(getMaxBlockSizeInMB()),
                    deviations,
                    means,
                    penalty,
                    new OneStage(optimizer)));
    double[] scaled = solution._1();
    return (LinearSVCModel)
        requireNonNull(
            Hidden.call(
                MLLIB,
                this,
                "createModel",
                dataset,
                Vectors.dense(Rows.unscaled(scaled, deviations, 1)).compressed(),
                getFitIntercept() ? scaled[features] : 0.0,
                solution._2()));
  }
}
