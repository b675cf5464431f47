package org.sparkcollectives.ml.internal.connect;

import java.io.Serial;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;

/**
 * The estimators that a server of Spark Connect gives clients which have asked for those of MLlib:
 * each trains as the library's, and is saved as MLlib's, so that what the client has asked for can
 * be loaded wherever MLlib is, also by PySpark, which finds its own classes by MLlib's names.
 */
public final class ServedEstimators {
  private ServedEstimators() {}

  /** The writer of MLlib's estimator, given the parameters of the one that is served. */
  private static <E extends Params & MLWritable> MLWriter writer(Params served, E mllibs) {
    served.copyValues(mllibs, ParamMap.empty());
    return mllibs.write();
  }

  /** Survival regression. */
  public static final class AFTSurvivalRegression
      extends org.sparkcollectives.ml.AFTSurvivalRegression {
    @Serial private static final long serialVersionUID = 1L;

    /** An estimator with a name of its own. */
    public AFTSurvivalRegression() {}

    /**
     * An estimator.
     *
     * @param uid its name, which no other has
     */
    public AFTSurvivalRegression(String uid) {
      super(uid);
    }

    @Override
    public MLWriter write() {
      return writer(this, new org.apache.spark.ml.regression.AFTSurvivalRegression(uid()));
    }
  }

  /** Factorization machines for classification. */
  public static final class FMClassifier extends org.sparkcollectives.ml.FMClassifier {
    @Serial private static final long serialVersionUID = 1L;

    /** An estimator with a name of its own. */
    public FMClassifier() {}

    /**
     * An estimator.
     *
     * @param uid its name, which no other has
     */
    public FMClassifier(String uid) {
      super(uid);
    }

    @Override
    public MLWriter write() {
      return writer(this, new org.apache.spark.ml.classification.FMClassifier(uid()));
    }
  }

  /** Factorization machines for regression. */
  public static final class FMRegressor extends org.sparkcollectives.ml.FMRegressor {
    @Serial private static final long serialVersionUID = 1L;

    /** An estimator with a name of its own. */
    public FMRegressor() {}

    /**
     * An estimator.
     *
     * @param uid its name, which no other has
     */
    public FMRegressor(String uid) {
      super(uid);
    }

    @Override
    public MLWriter write() {
      return writer(this, new org.apache.spark.ml.regression.FMRegressor(uid()));
    }
  }

  /** K-means. */
  public static final class KMeans extends org.sparkcollectives.ml.KMeans {
    @Serial private static final long serialVersionUID = 1L;

    /** An estimator with a name of its own. */
    public KMeans() {}

    /**
     * An estimator.
     *
     * @param uid its name, which no other has
     */
    public KMeans(String uid) {
      super(uid);
    }

    @Override
    public MLWriter write() {
      return writer(this, new org.apache.spark.ml.clustering.KMeans(uid()));
    }
  }

  /** Linear regression. */
  public static final class LinearRegression extends org.sparkcollectives.ml.LinearRegression {
    @Serial private static final long serialVersionUID = 1L;

    /** An estimator with a name of its own. */
    public LinearRegression() {}

    /**
     * An estimator.
     *
     * @param uid its name, which no other has
     */
    public LinearRegression(String uid) {
      super(uid);
    }

    @Override
    public MLWriter write() {
      return writer(this, new org.apache.spark.ml.regression.LinearRegression(uid()));
    }
  }

  /** Linear support vectors. */
  public static final class LinearSVC extends org.sparkcollectives.ml.LinearSVC {
    @Serial private static final long serialVersionUID = 1L;

    /** An estimator with a name of its own. */
    public LinearSVC() {}

    /**
     * An estimator.
     *
     * @param uid its name, which no other has
     */
    public LinearSVC(String uid) {
      super(uid);
    }

    @Override
    public MLWriter write() {
      return writer(this, new org.apache.spark.ml.classification.LinearSVC(uid()));
    }
  }

  /** Logistic regression. */
  public static final class LogisticRegression extends org.sparkcollectives.ml.LogisticRegression {
    @Serial private static final long serialVersionUID = 1L;

    /** An estimator with a name of its own. */
    public LogisticRegression() {}

    /**
     * An estimator.
     *
     * @param uid its name, which no other has
     */
    public LogisticRegression(String uid) {
      super(uid);
    }

    @Override
    public MLWriter write() {
      return writer(this, new org.apache.spark.ml.classification.LogisticRegression(uid()));
    }
  }
}
