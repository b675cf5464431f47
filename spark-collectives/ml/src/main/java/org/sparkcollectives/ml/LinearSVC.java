package org.sparkcollectives.ml;

import java.io.Serial;
import org.apache.spark.ml.classification.LinearSVCModel;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.Instrumentation$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.sparkcollectives.ml.internal.estimator.HingeTraining;
import org.sparkcollectives.ml.internal.estimator.Saved;

/**
 * A linear support vector machine in one stage: MLlib's estimator with all its parameters. It
 * returns MLlib's model.
 */
public class LinearSVC extends org.apache.spark.ml.classification.LinearSVC {
  @Serial private static final long serialVersionUID = 1L;

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
   * @return the reader, which makes objects of the class that was saved
   */
  public static MLReader<org.apache.spark.ml.classification.LinearSVC> read() {
    return new DefaultParamsReader<>();
  }

  /**
   * An estimator that was saved, also as MLlib's.
   *
   * @param path where
   * @return the estimator
   */
  public static LinearSVC load(String path) {
    return Saved.as(LinearSVC.class, read().load(path), LinearSVC::new);
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
    return Instrumentation$.MODULE$.instrumented(
        log -> HingeTraining.trained(this, dataset, log).orElseGet(() -> super.train(dataset)));
  }
}
