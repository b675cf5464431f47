package org.sparkcollectives.ml;

import static java.util.Objects.requireNonNull;

import breeze.linalg.DenseVector;
import breeze.optimize.DiffFunction;
import breeze.optimize.FirstOrderMinimizer;
import java.io.Serial;
import java.util.Arrays;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.linalg.DenseMatrix;
import org.apache.spark.ml.linalg.Vector;
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
 * Logistic regression in one stage: MLlib's estimator with all its parameters, binomial and
 * multinomial, elastic net, bounds and weights. It returns MLlib's model.
 */
public class LogisticRegression extends org.apache.spark.ml.classification.LogisticRegression {
  @Serial private static final long serialVersionUID = 1L;

  private static final Class<?> MLLIB = org.apache.spark.ml.classification.LogisticRegression.class;

  /** An estimator with a name of its own. */
  public LogisticRegression() {
    this(Identifiable$.MODULE$.randomUID("logreg"));
  }

  /**
   * An estimator.
   *
   * @param uid its name, which no other has
   */
  public LogisticRegression(String uid) {
    super(uid);
  }

  /**
   * A reader of estimators that were saved.
   *
   * @return the reader, which makes objects of this class
   */
  public static MLReader<org.apache.spark.ml.classification.LogisticRegression> read() {
    return new DefaultParamsReader<>();
  }

  /**
   * An estimator that was saved.
   *
   * @param path where
   * @return the estimator
   */
  public static LogisticRegression load(String path) {
    return (LogisticRegression) read().load(path);
  }

  @Override
  public LogisticRegression copy(ParamMap extra) {
    return this.<LogisticRegression>defaultCopy(extra);
  }

  /**
   * Trains; what {@code fit} calls.
   *
   * @param dataset the data
   * @return MLlib's model
   */
  @Override
  public LogisticRegressionModel train(Dataset<?> dataset) {
    @Nullable LogisticRegressionModel model =
        Instrumentation$.MODULE$.instrumented(log -> trained(dataset, log));
    return model == null ? super.train(dataset) : model;
  }

  /** The model; null where MLlib trains nothing, or says what is wrong. */
  private @Nullable LogisticRegressionModel trained(Dataset<?> dataset, Instrumentation log) {
    log.logPipelineStage(this);
    log.logDataset(dataset);
    log.logParams(
        this,
        Rows.parameters(
            labelCol(),
            weightCol(),
            featuresCol(),
            regParam(),
            elasticNetParam(),
            family(),
            standardization(),
            threshold(),
            maxIter(),
            tol(),
            fitIntercept(),
            maxBlockSizeInMB()));
    RDD<Instance> rows =
        Rows.of(
            dataset,
            log,
            DatasetUtils$.MODULE$.checkClassificationLabels(getLabelCol(), Option.empty()),
            DatasetUtils$.MODULE$.checkNonNegativeWeights(get(weightCol())),
            DatasetUtils$.MODULE$.checkNonNanVectors(getFeaturesCol()));
    Tuple2<SummarizerBuffer, MultiClassSummarizer> summaries =
        Summarizer$.MODULE$.getClassificationSummarizers(rows, getAggregationDepth(), Rows.METRICS);
    double[] histogram = summaries._2().histogram();
    int classes =
        MetadataUtils$.MODULE$
            .getNumClasses(dataset.schema().apply(getLabelCol()))
            .map(n -> (int) n)
            .getOrElse(() -> histogram.length);
    if (summaries._2().countInvalid() != 0
        || classes < histogram.length
        || (isDefined(thresholds()) && getThresholds().length != classes)
        || constant(histogram)) {
      return null;
    }
    boolean multinomial =
        (boolean) requireNonNull(Hidden.call(MLLIB, this, "checkMultinomial", classes));
    int sets = multinomial ? classes : 1;
    double[] means = summaries._1().mean().toArray();
    if (usingBoundConstrainedOptimization()) {
      Hidden.call(MLLIB, this, "assertBoundConstrainedOptimizationParamsValid", sets, means.length);
    }
    log.logNumClasses(classes);
    log.logNumFeatures(means.length);
    log.logNumExamples(summaries._1().count());
    log.logSumOfWeights(summaries._1().weightSum());
    double[] deviations = summaries._1().std().toArray();
    if (!getFitIntercept()) {
      Rows.warnOfConstants(log, "LogisticRegressionModel", means, deviations);
    }
    Tuple2<double[], double[]> solution =
        solve(rows, classes, sets, histogram, means, deviations, log);
    return model(dataset, classes, multinomial, solution, deviations);
  }

  /** MLlib trains nothing when all labels are the same and there is an intercept. */
  private boolean constant(double[] histogram) {
    return getFitIntercept()
        && !usingBoundConstrainedOptimization()
        && Arrays.stream(histogram).filter(weight -> weight != 0).count() == 1;
  }

  @SuppressWarnings("unchecked")
  private Tuple2<double[], double[]> solve(
      RDD<Instance> rows,
      int classes,
      int sets,
      double[] histogram,
      double[] means,
      double[] deviations,
      Instrumentation log) {
    int features = means.length;
    double l2 = (1 - getElasticNetParam()) * getRegParam();
    Option<L2Regularization> penalty =
        l2 == 0
            ? Option.empty()
            : Option.apply(
                new L2Regularization(
                    l2,
                    Rows.below(features * sets),
                    Rows.deviations(deviations, sets, getStandardization())));
    Tuple2<double[], double[]> bounds =
        (Tuple2<double[], double[]>)
            requireNonNull(Hidden.call(MLLIB, this, "createBounds", classes, features, deviations));
    var optimizer =
        (FirstOrderMinimizer<DenseVector<Object>, DiffFunction<DenseVector<Object>>>)
            requireNonNull(
                Hidden.call(
                    MLLIB,
                    this,
                    "createOptimizer",
                    classes,
                    features,
                    deviations,
                    bounds._1(),
                    bounds._2()));
    DenseMatrix initial =
        (DenseMatrix)
            requireNonNull(
                Hidden.call(
                    MLLIB,
                    this,
                    "createInitialSolution",
                    classes,
                    features,
                    histogram,
                    deviations,
                    bounds._1(),
                    bounds._2(),
                    log));
    return (Tuple2<double[], double[]>)
        requireNonNull(
            Hidden.call(
                MLLIB,
                this,
                "trainImpl",
                rows,
                Rows.blockSize(getMaxBlockSizeInMB()),
                deviations,
                means,
                classes,
                initial.toArray(),
                penalty,
                new OneStage(optimizer)));
  }

  /** The model of coefficients of scaled features, laid out feature by feature. */
  private LogisticRegressionModel model(
      Dataset<?> dataset,
      int classes,
      boolean multinomial,
      Tuple2<double[], double[]> solution,
      double[] deviations) {
    int features = deviations.length;
    int sets = multinomial ? classes : 1;
    double[] scaled = solution._1();
    double[] coefficients = new double[sets * features]; // class by class
    for (int j = 0; j < features; j++) {
      for (int i = 0; i < sets; i++) {
        double value = scaled[j * sets + i];
        coefficients[i * features + j] = deviations[j] != 0 ? value / deviations[j] : 0;
      }
    }
    if (multinomial && getRegParam() == 0 && !usingBoundConstrainedOptimization()) {
      centre(coefficients, sets, features);
    }
    Vector intercepts;
    if (getFitIntercept() || !multinomial) {
      double[] values =
          getFitIntercept()
              ? Arrays.copyOfRange(scaled, features * sets, (features + 1) * sets)
              : new double[sets];
      if (getFitIntercept() && multinomial && !usingBoundConstrainedOptimization()) {
        centre(values, sets, 1);
      }
      intercepts = Vectors.dense(values);
    } else {
      intercepts = Vectors.sparse(sets, new int[0], new double[0]);
    }
    return (LogisticRegressionModel)
        requireNonNull(
            Hidden.call(
                MLLIB,
                this,
                "createModel",
                dataset,
                classes,
                new DenseMatrix(sets, features, coefficients, true).compressed(),
                intercepts.compressed(),
                solution._2()));
  }

  /** Takes the mean over all classes from each class's numbers, which leaves probabilities. */
  private static void centre(double[] values, int sets, int features) {
    for (int j = 0; j < features; j++) {
      double sum = 0;
      for (int i = 0; i < sets; i++) {
        sum += values[i * features + j];
      }
      for (int i = 0; i < sets; i++) {
        values[i * features + j] -= sum / sets;
      }
    }
  }
}
