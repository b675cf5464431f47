package org.sparkcollectives.ml.internal.estimator;

import java.io.Serial;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.feature.InstanceBlock$;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.util.Instrumentation;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.storage.StorageLevel;
import scala.Function1;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/** Rows as MLlib's trainings want them, and what each of them does with their summary. */
public final class Rows {
  /** What a summary is to have. */
  public static final Seq<String> METRICS =
      CollectionConverters.asScala(List.of("mean", "std", "count")).toSeq();

  /** Of how many steps MLlib's optimisers approximate the curvature. */
  public static final int MEMORY = 10;

  /** A penalty of 0 on each coefficient's absolute value. */
  public static final Function1<Object, Object> NO_L1 = new NoPenalty();

  private Rows() {}

  /**
   * Labelled rows.
   *
   * @param dataset the data
   * @param instrumentation where a warning goes when the data is cached already
   * @param label a number for each row
   * @param weight a number for each row
   * @param features a vector for each row
   * @return a row of three each
   */
  public static RDD<Instance> of(
      Dataset<?> dataset,
      Instrumentation instrumentation,
      Column label,
      Column weight,
      Column features) {
    if (!dataset.storageLevel().equals(StorageLevel.NONE())) {
      instrumentation.logWarning(
          () ->
              "Input instances will be standardized, blockified to blocks, and then cached during"
                  + " training. Be careful of double caching!");
    }
    return dataset
        .select(label, weight, features)
        .toJavaRDD()
        .map(Rows::instance)
        .rdd()
        .setName("training instances");
  }

  private static Instance instance(Row row) {
    return new Instance(row.getDouble(0), row.getDouble(1), row.<Vector>getAs(2));
  }

  /**
   * The size of a block of rows.
   *
   * @param asked what the user has asked for, in MiB; 0 for MLlib's
   * @return the size in MiB
   */
  public static double blockSize(double asked) {
    return asked == 0 ? InstanceBlock$.MODULE$.DefaultBlockSizeInMB() : asked;
  }

  /**
   * Coefficients of scaled features as those of the features themselves.
   *
   * @param coefficients of the scaled features, and maybe more
   * @param deviations each feature's standard deviation
   * @param factor what each is multiplied by as well
   * @return a coefficient for each feature, 0 for features that do not vary
   */
  public static double[] unscaled(double[] coefficients, double[] deviations, double factor) {
    double[] unscaled = new double[deviations.length];
    for (int i = 0; i < unscaled.length; i++) {
      unscaled[i] = deviations[i] != 0 ? coefficients[i] * factor / deviations[i] : 0;
    }
    return unscaled;
  }

  /**
   * Says so when a feature that does not vary gets no coefficient though there is no intercept.
   *
   * @param instrumentation where it is said
   * @param model what is trained
   * @param means each feature's mean
   * @param deviations each feature's standard deviation
   */
  public static void warnOfConstants(
      Instrumentation instrumentation, String model, double[] means, double[] deviations) {
    for (int i = 0; i < means.length; i++) {
      if (deviations[i] == 0 && means[i] != 0) {
        instrumentation.logWarning(
            () ->
                "Fitting "
                    + model
                    + " without intercept on dataset with constant nonzero column, Spark MLlib"
                    + " outputs zero coefficients for constant nonzero columns.");
        return;
      }
    }
  }

  /**
   * Parameters of MLlib as a sequence.
   *
   * @param parameters the parameters
   * @return the same
   */
  public static Seq<Param<?>> parameters(Param<?>... parameters) {
    return CollectionConverters.<Param<?>>asScala(Arrays.asList(parameters)).toSeq();
  }

  /**
   * Which coefficients are penalised.
   *
   * @param size how many, from the first on
   * @return a function of the index
   */
  public static Function1<Object, Object> below(int size) {
    return new Below(size);
  }

  /**
   * The standard deviation of a coefficient's feature.
   *
   * @param deviations each feature's
   * @param sets how many coefficients each feature has, one after the other
   * @param standardization whether the penalty is on standardised features, which need none
   * @return a function of the index, or none
   */
  public static Option<Function1<Object, Object>> deviations(
      double[] deviations, int sets, boolean standardization) {
    return standardization ? Option.empty() : Option.apply(new Deviations(deviations, sets));
  }

  /** Zero for every index. */
  private static final class NoPenalty extends AbstractFunction1<Object, Object>
      implements Serializable {
    @Serial private static final long serialVersionUID = 1L;

    @Override
    public Object apply(Object index) {
      return 0.0;
    }
  }

  /** Whether an index is one of the first. */
  private static final class Below extends AbstractFunction1<Object, Object>
      implements Serializable {
    @Serial private static final long serialVersionUID = 1L;
    private final int size;

    Below(int size) {
      this.size = size;
    }

    @Override
    public Object apply(Object index) {
      return (int) index >= 0 && (int) index < size;
    }
  }

  /** The standard deviation that belongs to an index. */
  private static final class Deviations extends AbstractFunction1<Object, Object>
      implements Serializable {
    @Serial private static final long serialVersionUID = 1L;
    private final double[] deviations;
    private final int sets;

    Deviations(double[] deviations, int sets) {
      this.deviations = deviations;
      this.sets = sets;
    }

    @Override
    public Object apply(Object index) {
      int i = (int) index;
      return i >= 0 && i < sets * deviations.length ? deviations[i / sets] : 0.0;
    }
  }
}
