package org.sparkcollectives.ml.internal.estimator;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.Constructor;
import java.util.Arrays;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.ml.regression.LinearRegressionModel;
import org.apache.spark.ml.regression.LinearRegressionTrainingSummary;
import org.apache.spark.sql.Dataset;
import org.sparkcollectives.ml.internal.bridge.Hidden;
import scala.Option;
import scala.Tuple2;

/** The summary of a linear regression, which each line of Spark makes in its own way. */
final class LinearSummary {
  private static final String SINCE_4_1 = "createSummary";

  private LinearSummary() {}

  /**
   * Gives a model the summary that its training deserves.
   *
   * @param model the model
   * @param dataset what it was trained with
   * @param estimator what trained it
   * @param history the objective's value in each iteration
   * @return the model
   */
  static LinearRegressionModel added(
      LinearRegressionModel model,
      Dataset<?> dataset,
      LinearRegression estimator,
      double[] history) {
    double[] unknown = {0}; // what only normal equations tell
    Class<?> type = LinearRegressionModel.class;
    if (Arrays.stream(type.getDeclaredMethods()).anyMatch(m -> m.getName().equals(SINCE_4_1))) {
      Hidden.call(type, model, SINCE_4_1, dataset, unknown, history, new double[0]);
      return model;
    }
    Tuple2<?, ?> summarised =
        (Tuple2<?, ?>) requireNonNull(Hidden.call(type, model, "findSummaryModelAndPredictionCol"));
    Constructor<?> constructor = LinearRegressionTrainingSummary.class.getDeclaredConstructors()[0];
    try {
      Object summary =
          constructor.newInstance(
              ((LinearRegressionModel) summarised._1()).transform(dataset),
              summarised._2(),
              estimator.getLabelCol(),
              estimator.getFeaturesCol(),
              model,
              unknown,
              history);
      return (LinearRegressionModel)
          requireNonNull(Hidden.call(type, model, "setSummary", Option.apply(summary)));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "the model has no summary: this line of Spark makes it in a way that the library does not"
              + " know. Use Spark 3.5 or 4.1, or MLlib's own estimator.",
          e);
    }
  }
}
