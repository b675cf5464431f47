package org.sparkcollectives.ml.internal.estimator;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import java.io.Serial;
import java.io.Serializable;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.feature.InstanceBlock$;
import org.apache.spark.ml.optim.loss.L2Regularization;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.util.Instrumentation;
import org.apache.spark.ml.util.MetadataUtils$;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.storage.StorageLevel;
import org.sparkcollectives.ml.internal.bridge.SqlRows;
import org.sparkcollectives.ml.internal.rows.RowFacts;
import org.sparkcollectives.ml.internal.rows.RowKind;
import org.sparkcollectives.ml.internal.training.Fitted;
import scala.Function1;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/** Rows as MLlib's trainings want them, and what each of them does with their summary. */
public final class Rows {
  /** Of how many steps MLlib's optimisers approximate the curvature. */
  public static final int MEMORY = 10;

  /** A penalty of 0 on each coefficient's absolute value. */
  public static final Function1<Object, Object> NO_L1 = new NoPenalty();

  private Rows() {}

  /**
   * Labelled rows, as they are: {@link RowKind} says which of them can be trained with. Says how
   * many partitions they have.
   *
   * @param dataset the data
   * @param instrumentation where this goes, and a warning when the data is cached already
   * @param label the column of labels
   * @param weight the weights, or what stands in their place
   * @param features the column of vectors
   * @return a row of three each, with NaN for a number that is not there, and null for a vector
   */
  public static RDD<Instance> of(
      Dataset<?> dataset,
      Instrumentation instrumentation,
      String label,
      Column weight,
      String features) {
    warnIfCached(dataset, instrumentation, "Input instances will be standardized,");
    Dataset<?> columns = dataset.select(number(label), weight, col(features));
    RDD<Instance> rows = SqlRows.map(columns, Rows::instance).setName("training instances");
    instrumentation.logDataset(rows); // that of the data set would be planned for it alone
    return rows;
  }

  /**
   * Warns when the data is cached already, as MLlib does.
   *
   * @param dataset the data
   * @param instrumentation where it is said
   * @param what the warning's first words: what becomes of the data before there are blocks
   */
  static void warnIfCached(Dataset<?> dataset, Instrumentation instrumentation, String what) {
    if (!dataset.storageLevel().equals(StorageLevel.NONE())) {
      instrumentation.logWarning(
          () ->
              what
                  + " blockified to blocks, and then cached during training. Be careful of double"
                  + " caching!");
    }
  }

  /**
   * Weights of rows.
   *
   * @param column their column, if there is one; else all rows weigh 1
   * @return the weights
   */
  public static Column weights(Option<String> column) {
    return column.isDefined() && !column.get().isEmpty() ? number(column.get()) : lit(1.0);
  }

  /**
   * A column as numbers.
   *
   * @param column the column
   * @return the same, of doubles
   */
  static Column number(String column) {
    return col(column).cast(DataTypes.DoubleType);
  }

  private static Instance instance(InternalRow row) {
    return new Instance(SqlRows.number(row, 0), SqlRows.number(row, 1), SqlRows.vector(row, 2));
  }

  /**
   * The size of a block of rows.
   *
   * @param asked what the user has asked for, in MiB; 0 for MLlib's
   * @param instrumentation where it is said when it is MLlib's
   * @return the size in MiB
   */
  public static double blockSize(double asked, Instrumentation instrumentation) {
    if (asked != 0) {
      return asked;
    }
    double size = InstanceBlock$.MODULE$.DefaultBlockSizeInMB();
    instrumentation.logNamedValue("actualBlockSizeInMB", size);
    return size;
  }

  /**
   * Says so when a feature that does not vary gets no coefficient though there is no intercept.
   *
   * @param instrumentation where it is said
   * @param model what is trained
   * @param facts what the rows are like
   */
  public static void warnOfConstants(
      Instrumentation instrumentation, String model, RowFacts facts) {
    if (facts.constants()) {
      instrumentation.logWarning(
          () ->
              "Fitting "
                  + model
                  + " without intercept on dataset with constant nonzero column, Spark MLlib"
                  + " outputs zero coefficients for constant nonzero columns.");
    }
  }

  /**
   * Says how many rows and features there are, and what the lightest and the heaviest class weigh.
   *
   * @param instrumentation where it is said
   * @param facts what the rows are like
   */
  public static void log(Instrumentation instrumentation, RowFacts facts) {
    instrumentation.logNumFeatures(facts.features());
    instrumentation.logNumExamples(facts.count());
    instrumentation.logSumOfWeights(facts.weight());
    double[] histogram = facts.histogram();
    if (histogram.length > 0) {
      DoubleSummaryStatistics weights = Arrays.stream(histogram).summaryStatistics();
      instrumentation.logNamedValue("lowestLabelWeight", weights.getMin());
      instrumentation.logNamedValue("highestLabelWeight", weights.getMax());
    }
  }

  /**
   * How many classes a column of labels says that it has.
   *
   * @param dataset the data
   * @param label the column
   * @return how many, -1 where it does not say
   */
  public static int declaredClasses(Dataset<?> dataset, String label) {
    return MetadataUtils$.MODULE$
        .getNumClasses(dataset.schema().apply(label))
        .map(n -> (int) n)
        .getOrElse(() -> -1);
  }

  /**
   * How many features a column of vectors says that it has.
   *
   * @param dataset the data
   * @param features the column
   * @return how many, -1 where it does not say
   */
  static int declaredFeatures(Dataset<?> dataset, String features) {
    return MetadataUtils$.MODULE$
        .getNumFeatures(dataset.schema().apply(features))
        .map(n -> (int) n)
        .getOrElse(() -> -1);
  }

  /**
   * Changes intercepts of features as they are into those of centred ones.
   *
   * @param coefficients of scaled features, feature by feature, and behind them the intercepts
   * @param means those of scaled features
   * @param sets how many coefficients each feature has, and how many intercepts there are
   */
  public static void centre(double[] coefficients, double[] means, int sets) {
    for (int i = 0; i < sets; i++) {
      double offset = 0;
      for (int j = 0; j < means.length; j++) {
        offset += coefficients[j * sets + i] * means[j];
      }
      coefficients[means.length * sets + i] += offset;
    }
  }

  /**
   * Changes intercepts of centred features into those of features as they are.
   *
   * @param fitted the coefficients, of which the first behind those of features are the intercepts
   */
  public static void uncentre(Fitted fitted) {
    double[] offsets = fitted.offsets();
    for (int i = 0; i < offsets.length; i++) {
      fitted.solution()[fitted.facts().features() * offsets.length + i] -= offsets[i];
    }
  }

  /**
   * The penalty on squares of coefficients.
   *
   * @param strength its strength
   * @param size how many coefficients it is on, from the first on
   * @param deviations each feature's standard deviation
   * @param sets how many coefficients each feature has, one after the other
   * @param standardization whether the penalty is on standardised features
   * @return MLlib's, or none for a strength of 0
   */
  public static Option<L2Regularization> penalty(
      double strength, int size, double[] deviations, int sets, boolean standardization) {
    if (strength == 0) {
      return Option.empty();
    }
    Option<Function1<Object, Object>> of =
        standardization ? Option.empty() : Option.apply(new Deviations(deviations, sets));
    return Option.apply(new L2Regularization(strength, new Below(size), of));
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
      return apply$mcZI$sp((int) index);
    }

    @Override
    public boolean apply$mcZI$sp(int index) {
      return index >= 0 && index < size;
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
      return apply$mcDI$sp((int) index);
    }

    @Override
    public double apply$mcDI$sp(int index) {
      return index >= 0 && index < sets * deviations.length ? deviations[index / sets] : 0.0;
    }
  }
}
