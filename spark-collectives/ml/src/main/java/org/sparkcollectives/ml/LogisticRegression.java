package org.sparkcollectives.ml;

import static java.util.Objects.requireNonNull;

import breeze.linalg.DenseVector;
import breeze.optimize.DiffFunction;
import breeze.optimize.FirstOrderMinimizer;
import java.io.Serial;
import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.linalg.DenseMatrix;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.aggregator.BinaryLogisticBlockAggregator;
import org.apache.spark.ml.optim.aggregator.MultinomialLogisticBlockAggregator;
import org.apache.spark.ml.optim.loss.L2Regularization;
import org.apache.spark.ml.param.Param;
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
import org.sparkcollectives.ml.internal.rows.RowFacts;
import org.sparkcollectives.ml.internal.rows.RowKind;
import org.sparkcollectives.ml.internal.rows.Summary;
import org.sparkcollectives.ml.internal.training.Fitted;
import org.sparkcollectives.ml.internal.training.Problem;
import org.sparkcollectives.ml.internal.training.Training;
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
    int declared = Rows.declaredClasses(dataset, getLabelCol());
    Optional<Fitted> fitted =
        Training.fit(
            uid(),
            rows,
            summary -> problem(summary, classes(summary.facts(), declared)),
            RowKind.CLASSES,
            Rows.blockSize(getMaxBlockSizeInMB()));
    if (fitted.isEmpty()) {
      return null;
    }
    RowFacts facts = fitted.get().facts();
    int classes = classes(facts, declared);
    log.logNumClasses(classes);
    Rows.log(log, facts);
    if (!getFitIntercept()) {
      Rows.warnOfConstants(log, "LogisticRegressionModel", facts);
    }
    if (centred()) {
      Rows.uncentre(fitted.get());
    }
    return model(dataset, classes, fitted.get());
  }

  private static int classes(RowFacts facts, int declared) {
    return declared < 0 ? facts.histogram().length : declared;
  }

  private boolean multinomial(int classes) {
    return (boolean) requireNonNull(Hidden.call(MLLIB, this, "checkMultinomial", classes));
  }

  /** Whether features are centred, as MLlib does unless the intercepts have bounds. */
  private boolean centred() {
    return getFitIntercept()
        && unbounded(lowerBoundsOnIntercepts(), Double.NEGATIVE_INFINITY)
        && unbounded(upperBoundsOnIntercepts(), Double.POSITIVE_INFINITY);
  }

  private boolean unbounded(Param<Vector> bounds, double infinity) {
    return !isSet(bounds)
        || Arrays.stream(this.<Vector>getOrDefault(bounds).toArray()).allMatch(b -> b == infinity);
  }

  /** MLlib trains nothing when all labels are the same and there is an intercept. */
  private boolean constant(double[] histogram) {
    return getFitIntercept()
        && !usingBoundConstrainedOptimization()
        && Arrays.stream(histogram).filter(weight -> weight != 0).count() == 1;
  }

  /** What ranks minimise; null where MLlib trains nothing, or says what is wrong. */
  @SuppressWarnings("unchecked")
  private @Nullable Problem<?> problem(Summary summary, int classes) {
    double[] histogram = summary.facts().histogram();
    if (classes < histogram.length
        || (isDefined(thresholds()) && getThresholds().length != classes)
        || constant(histogram)) {
      return null;
    }
    boolean multinomial = multinomial(classes);
    int sets = multinomial ? classes : 1;
    int features = summary.facts().features();
    double[] deviations = summary.deviations();
    if (usingBoundConstrainedOptimization()) {
      Hidden.call(MLLIB, this, "assertBoundConstrainedOptimizationParamsValid", sets, features);
    }
    Tuple2<double[], double[]> bounds =
        (Tuple2<double[], double[]>)
            requireNonNull(Hidden.call(MLLIB, this, "createBounds", classes, features, deviations));
    var minimizer =
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
    double[] initial =
        Instrumentation$.MODULE$.instrumented(
            log -> initial(classes, features, histogram, deviations, bounds, log));
    boolean centred = centred();
    // MLlib's aggregators ask scales for their number alone.
    Broadcast<double[]> means = new HereBroadcast<>(summary.scaledMeans());
    if (centred) {
      Rows.centre(initial, means.value(), sets);
    }
    double l2 = (1 - getElasticNetParam()) * getRegParam();
    Option<L2Regularization> penalty =
        Rows.penalty(l2, features * sets, deviations, sets, getStandardization());
    boolean intercept = getFitIntercept();
    return multinomial
        ? new Problem<MultinomialLogisticBlockAggregator>(
            x -> new MultinomialLogisticBlockAggregator(means, means, intercept, centred, x),
            penalty,
            minimizer,
            initial,
            sets)
        : new Problem<BinaryLogisticBlockAggregator>(
            x -> new BinaryLogisticBlockAggregator(means, means, intercept, centred, x),
            penalty,
            minimizer,
            initial,
            sets);
  }

  private double[] initial(
      int classes,
      int features,
      double[] histogram,
      double[] deviations,
      Tuple2<double[], double[]> bounds,
      Instrumentation log) {
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
    return initial.toArray();
  }

  /** The model of coefficients that are laid out feature by feature. */
  private LogisticRegressionModel model(Dataset<?> dataset, int classes, Fitted fitted) {
    int features = fitted.facts().features();
    double[] solution = fitted.solution();
    boolean multinomial = multinomial(classes);
    int sets = multinomial ? classes : 1;
    double[] coefficients = new double[sets * features]; // class by class
    for (int j = 0; j < features; j++) {
      for (int i = 0; i < sets; i++) {
        coefficients[i * features + j] = solution[j * sets + i];
      }
    }
    if (multinomial && getRegParam() == 0 && !usingBoundConstrainedOptimization()) {
      centre(coefficients, sets, features);
    }
    Vector intercepts;
    if (getFitIntercept() || !multinomial) {
      double[] values =
          getFitIntercept()
              ? Arrays.copyOfRange(solution, features * sets, (features + 1) * sets)
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
                fitted.history()));
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
