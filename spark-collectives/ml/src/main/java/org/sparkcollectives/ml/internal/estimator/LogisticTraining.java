package org.sparkcollectives.ml.internal.estimator;

import static java.util.Objects.requireNonNull;

import breeze.linalg.DenseVector;
import breeze.optimize.DiffFunction;
import breeze.optimize.FirstOrderMinimizer;
import java.io.Serial;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.linalg.DenseMatrix;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.aggregator.BinaryLogisticBlockAggregator;
import org.apache.spark.ml.optim.aggregator.MultinomialLogisticBlockAggregator;
import org.apache.spark.ml.optim.loss.L2Regularization;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.util.Instrumentation;
import org.apache.spark.ml.util.Instrumentation$;
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
import scala.Option;
import scala.Tuple2;

/** Logistic regression in one stage, from data to the model of MLlib's estimator. */
public final class LogisticTraining implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  private static final Class<?> MLLIB = LogisticRegression.class;

  private final LogisticRegression estimator;

  private LogisticTraining(LogisticRegression estimator) {
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
  public static Optional<LogisticRegressionModel> trained(
      LogisticRegression estimator, Dataset<?> dataset, Instrumentation log) {
    return Optional.ofNullable(new LogisticTraining(estimator).trained(dataset, log));
  }

  /** The model; null where MLlib trains nothing, or says what is wrong. */
  private @Nullable LogisticRegressionModel trained(Dataset<?> dataset, Instrumentation log) {
    log.logPipelineStage(estimator);
    log.logParams(
        estimator,
        Rows.parameters(
            estimator.labelCol(),
            estimator.weightCol(),
            estimator.featuresCol(),
            estimator.predictionCol(),
            estimator.rawPredictionCol(),
            estimator.probabilityCol(),
            estimator.regParam(),
            estimator.elasticNetParam(),
            estimator.standardization(),
            estimator.threshold(),
            estimator.thresholds(),
            estimator.maxIter(),
            estimator.tol(),
            estimator.fitIntercept(),
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
            summary -> problem(summary, classes(summary.facts(), declared)),
            RowKind.CLASSES,
            startsAtZero(),
            Rows.blockSize(estimator.getMaxBlockSizeInMB(), log));
    if (fitted.isEmpty()) {
      return null;
    }
    RowFacts facts = fitted.get().facts();
    int classes = classes(facts, declared);
    log.logNumClasses(classes);
    Rows.log(log, facts);
    warnOfIgnoredModel(log, sets(classes), facts.features());
    if (!estimator.getFitIntercept()) {
      if (classesThatOccur(facts.histogram()) == 1) {
        log.logWarning(
            () ->
                "All labels belong to a single class and fitIntercept=false. It's a dangerous"
                    + " ground, so the algorithm may not converge.");
      }
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

  /** Says so where ranks could not start from the model that is given, as MLlib says it. */
  private void warnOfIgnoredModel(Instrumentation log, int sets, int features) {
    Option<?> given = (Option<?>) requireNonNull(Hidden.field(estimator, "optInitialModel"));
    if (given.isEmpty()) {
      return;
    }
    LogisticRegressionModel model = (LogisticRegressionModel) given.get();
    int rows = model.coefficientMatrix().numRows();
    int columns = model.coefficientMatrix().numCols();
    if (rows != sets
        || columns != features
        || model.interceptVector().size() != sets
        || model.getFitIntercept() != estimator.getFitIntercept()) {
      log.logWarning(
          () ->
              ("Initial coefficients will be ignored! Its dimensions (%d, %d) did not match the"
                      + " expected size (%d, %d)")
                  .formatted(rows, columns, sets, features));
    }
  }

  /** How many coefficients each feature has. */
  private int sets(int classes) {
    return multinomial(classes) ? classes : 1;
  }

  private boolean multinomial(int classes) {
    return (boolean) requireNonNull(Hidden.call(MLLIB, estimator, "checkMultinomial", classes));
  }

  /** Whether features are centred, as MLlib does unless the intercepts have bounds. */
  private boolean centred() {
    return estimator.getFitIntercept()
        && unbounded(estimator.lowerBoundsOnIntercepts(), Double.NEGATIVE_INFINITY)
        && unbounded(estimator.upperBoundsOnIntercepts(), Double.POSITIVE_INFINITY);
  }

  private boolean unbounded(Param<Vector> bounds, double infinity) {
    return !estimator.isSet(bounds)
        || Arrays.stream(estimator.<Vector>getOrDefault(bounds).toArray())
            .allMatch(b -> b == infinity);
  }

  /** Whether the coefficients of features start at 0: no bound and no model says otherwise. */
  private boolean startsAtZero() {
    Option<?> given = (Option<?>) requireNonNull(Hidden.field(estimator, "optInitialModel"));
    return given.isEmpty() && !estimator.usingBoundConstrainedOptimization();
  }

  /** MLlib trains nothing when all labels are the same and there is an intercept. */
  private boolean constant(double[] histogram) {
    return estimator.getFitIntercept()
        && !estimator.usingBoundConstrainedOptimization()
        && classesThatOccur(histogram) == 1;
  }

  private static long classesThatOccur(double[] histogram) {
    return Arrays.stream(histogram).filter(weight -> weight != 0).count();
  }

  /** What ranks minimise; null where MLlib trains nothing, or says what is wrong. */
  @SuppressWarnings("unchecked")
  private @Nullable MinimizationProblem<?> problem(Summary summary, int classes) {
    double[] histogram = summary.facts().histogram();
    if (classes < histogram.length
        || (estimator.isDefined(estimator.thresholds())
            && estimator.getThresholds().length != classes)
        || constant(histogram)) {
      return null;
    }
    boolean multinomial = multinomial(classes);
    int sets = sets(classes);
    int features = summary.features();
    double[] deviations = summary.deviations();
    if (estimator.usingBoundConstrainedOptimization()) {
      Hidden.call(
          MLLIB, estimator, "assertBoundConstrainedOptimizationParamsValid", sets, features);
    }
    Tuple2<double[], double[]> bounds =
        (Tuple2<double[], double[]>)
            requireNonNull(
                Hidden.call(MLLIB, estimator, "createBounds", classes, features, deviations));
    var minimizer =
        (FirstOrderMinimizer<DenseVector<Object>, DiffFunction<DenseVector<Object>>>)
            requireNonNull(
                Hidden.call(
                    MLLIB,
                    estimator,
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
    double l2 = (1 - estimator.getElasticNetParam()) * estimator.getRegParam();
    Option<L2Regularization> penalty =
        Rows.penalty(l2, features * sets, deviations, sets, estimator.getStandardization());
    boolean intercept = estimator.getFitIntercept();
    return multinomial
        ? new MinimizationProblem<MultinomialLogisticBlockAggregator>(
            x -> new MultinomialLogisticBlockAggregator(means, means, intercept, centred, x),
            penalty,
            minimizer,
            initial,
            sets)
        : new MinimizationProblem<BinaryLogisticBlockAggregator>(
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
                    estimator,
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
    int sets = sets(classes);
    double[] coefficients = new double[sets * features]; // class by class
    for (int j = 0; j < features; j++) {
      for (int i = 0; i < sets; i++) {
        coefficients[i * features + j] = solution[j * sets + i];
      }
    }
    if (multinomial
        && estimator.getRegParam() == 0
        && !estimator.usingBoundConstrainedOptimization()) {
      centre(coefficients, sets, features);
    }
    Vector intercepts;
    if (estimator.getFitIntercept() || !multinomial) {
      double[] values =
          estimator.getFitIntercept()
              ? Arrays.copyOfRange(solution, features * sets, (features + 1) * sets)
              : new double[sets];
      if (estimator.getFitIntercept()
          && multinomial
          && !estimator.usingBoundConstrainedOptimization()) {
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
                estimator,
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
