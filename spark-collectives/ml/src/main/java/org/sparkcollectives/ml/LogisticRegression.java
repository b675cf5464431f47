package org.sparkcollectives.ml;

import java.io.Serial;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.Instrumentation$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.sparkcollectives.ml.internal.estimator.LogisticTraining;
import org.sparkcollectives.ml.internal.estimator.Saved;

/**
 * Logistic regression in one stage: MLlib's estimator with all its parameters, binomial and
 * multinomial, elastic net, bounds and weights. It returns MLlib's model.
 */
public class LogisticRegression extends org.apache.spark.ml.classification.LogisticRegression {
  @Serial private static final long serialVersionUID = 1L;

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
   * @return the reader, which makes objects of the class that was saved
   */
  public static MLReader<org.apache.spark.ml.classification.LogisticRegression> read() {
    return new DefaultParamsReader<>();
  }

  /**
   * An estimator that was saved, also as MLlib's.
   *
   * @param path where
   * @return the estimator
   */
  public static LogisticRegression load(String path) {
    return Saved.as(LogisticRegression.class, read().load(path), LogisticRegression::new);
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
    return Instrumentation$.MODULE$.instrumented(
        log -> LogisticTraining.trained(this, dataset, log).orElseGet(() -> super.train(dataset)));
  }
}
