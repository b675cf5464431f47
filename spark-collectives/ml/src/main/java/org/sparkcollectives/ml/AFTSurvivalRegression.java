package org.sparkcollectives.ml;

import java.io.Serial;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.AFTSurvivalRegressionModel;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.Instrumentation$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.sparkcollectives.ml.internal.estimator.Saved;
import org.sparkcollectives.ml.internal.estimator.SurvivalTraining;

/**
 * Survival regression (accelerated failure time, Weibull) in one stage: MLlib's estimator with all
 * its parameters. It returns MLlib's model.
 */
public class AFTSurvivalRegression extends org.apache.spark.ml.regression.AFTSurvivalRegression {
  @Serial private static final long serialVersionUID = 1L;

  /** An estimator with a name of its own. */
  public AFTSurvivalRegression() {
    this(Identifiable$.MODULE$.randomUID("aftSurvReg"));
  }

  /**
   * An estimator.
   *
   * @param uid its name, which no other has
   */
  public AFTSurvivalRegression(String uid) {
    super(uid);
  }

  /**
   * A reader of estimators that were saved.
   *
   * @return the reader, which makes objects of the class that was saved
   */
  public static MLReader<org.apache.spark.ml.regression.AFTSurvivalRegression> read() {
    return new DefaultParamsReader<>();
  }

  /**
   * An estimator that was saved, also as MLlib's.
   *
   * @param path where
   * @return the estimator
   */
  public static AFTSurvivalRegression load(String path) {
    return Saved.as(AFTSurvivalRegression.class, read().load(path), AFTSurvivalRegression::new);
  }

  @Override
  public AFTSurvivalRegression copy(ParamMap extra) {
    return this.<AFTSurvivalRegression>defaultCopy(extra);
  }

  /**
   * Trains; what {@code fit} calls.
   *
   * @param dataset the data
   * @return MLlib's model
   */
  @Override
  public AFTSurvivalRegressionModel train(Dataset<?> dataset) {
    return Instrumentation$.MODULE$.instrumented(
        log -> SurvivalTraining.trained(this, dataset, log).orElseGet(() -> super.train(dataset)));
  }
}
