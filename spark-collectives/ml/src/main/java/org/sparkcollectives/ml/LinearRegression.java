package org.sparkcollectives.ml;

import java.io.Serial;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.LinearRegressionModel;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.Instrumentation$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.sparkcollectives.ml.internal.estimator.LinearTraining;
import org.sparkcollectives.ml.internal.estimator.Saved;

/**
 * Linear regression in one stage: MLlib's estimator with all its parameters, squared error and
 * Huber's loss, elastic net and weights. What MLlib solves by normal equations, in one pass over
 * the rows, it solves so too. It returns MLlib's model.
 */
public class LinearRegression extends org.apache.spark.ml.regression.LinearRegression {
  @Serial private static final long serialVersionUID = 1L;

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
   * @return the reader, which makes objects of the class that was saved
   */
  public static MLReader<org.apache.spark.ml.regression.LinearRegression> read() {
    return new DefaultParamsReader<>();
  }

  /**
   * An estimator that was saved, also as MLlib's.
   *
   * @param path where
   * @return the estimator
   */
  public static LinearRegression load(String path) {
    return Saved.as(LinearRegression.class, read().load(path), LinearRegression::new);
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
    return Instrumentation$.MODULE$.instrumented(
        log -> LinearTraining.trained(this, dataset, log).orElseGet(() -> super.train(dataset)));
  }
}
