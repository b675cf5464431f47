package org.sparkcollectives.ml;

import java.io.Serial;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.rdd.RDD;
import org.sparkcollectives.ml.internal.estimator.FactorizationTraining;
import org.sparkcollectives.ml.internal.estimator.Saved;
import scala.Tuple2;

/**
 * Factorization machines for two classes in one stage: MLlib's estimator with all its parameters,
 * and its mini batches. It returns MLlib's model.
 */
public class FMClassifier extends org.apache.spark.ml.classification.FMClassifier {
  @Serial private static final long serialVersionUID = 1L;

  /** An estimator with a name of its own. */
  public FMClassifier() {
    this(Identifiable$.MODULE$.randomUID("fmc"));
  }

  /**
   * An estimator.
   *
   * @param uid its name, which no other has
   */
  public FMClassifier(String uid) {
    super(uid);
    // MLlib makes it of the name of the class: of this one it would be another.
    setDefault(
        seed(), (long) org.apache.spark.ml.classification.FMClassifier.class.getName().hashCode());
  }

  /**
   * A reader of estimators that were saved.
   *
   * @return the reader, which makes objects of the class that was saved
   */
  public static MLReader<org.apache.spark.ml.classification.FMClassifier> read() {
    return new DefaultParamsReader<>();
  }

  /**
   * An estimator that was saved, also as MLlib's.
   *
   * @param path where
   * @return the estimator
   */
  public static FMClassifier load(String path) {
    return Saved.as(FMClassifier.class, read().load(path), FMClassifier::new);
  }

  @Override
  public FMClassifier copy(ParamMap extra) {
    return this.<FMClassifier>defaultCopy(extra);
  }

  /**
   * Finds the coefficients; what {@code fit} calls.
   *
   * @param rows a label and features each
   * @param features how many features there are
   * @param loss the loss, as MLlib names it
   * @return the coefficients, and the objective's value for each batch
   */
  @Override
  public Tuple2<Vector, double[]> trainImpl(
      RDD<Tuple2<Object, org.apache.spark.mllib.linalg.Vector>> rows, int features, String loss) {
    return FactorizationTraining.trained(this, rows, features, loss)
        .orElseGet(() -> super.trainImpl(rows, features, loss));
  }
}
