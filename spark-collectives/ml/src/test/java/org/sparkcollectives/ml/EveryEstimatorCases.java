package org.sparkcollectives.ml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.Model;
import org.apache.spark.ml.classification.FMClassificationModel;
import org.apache.spark.ml.classification.LinearSVCModel;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.clustering.KMeansModel;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.AFTSurvivalRegressionModel;
import org.apache.spark.ml.regression.FMRegressionModel;
import org.apache.spark.ml.regression.LinearRegressionModel;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.error.InvalidInputException;

/** What holds of each estimator, in the application of {@link EstimatorsIT}. */
@Timeout(240)
abstract class EveryEstimatorCases {
  private static Dataset<Row> rows;

  @BeforeAll
  static void start() {
    rows = Examples.of(EstimatorsIT.session(), 200, 4, 3);
  }

  /**
   * An estimator.
   *
   * @param ours the library's
   * @param plain MLlib's
   * @param label the labels' column, or empty
   * @param load reads one of ours
   * @param loadModel reads a model
   */
  private record Kind(
      Estimator<?> ours,
      Estimator<?> plain,
      String label,
      Function<String, Estimator<?>> load,
      Function<String, Model<?>> loadModel) {

    String name() {
      return ours.getClass().getSimpleName();
    }

    /** Both, with a parameter. */
    Kind with(String parameter, Object value) {
      for (Estimator<?> estimator : List.of(ours, plain)) {
        estimator.set(estimator.getParam(parameter), value);
      }
      return this;
    }
  }

  private static List<Kind> kinds() {
    return List.of(
        new Kind(
                new LogisticRegression(),
                new org.apache.spark.ml.classification.LogisticRegression(),
                "label",
                LogisticRegression::load,
                LogisticRegressionModel::load)
            .with("regParam", 0.25),
        new Kind(
                new LinearSVC(),
                new org.apache.spark.ml.classification.LinearSVC(),
                "label",
                LinearSVC::load,
                LinearSVCModel::load)
            .with("regParam", 0.25),
        new Kind(
                new FMClassifier(),
                new org.apache.spark.ml.classification.FMClassifier(),
                "label",
                FMClassifier::load,
                FMClassificationModel::load)
            .with("factorSize", 2)
            .with("seed", 5L),
        new Kind(
                new FMRegressor(),
                new org.apache.spark.ml.regression.FMRegressor(),
                "time",
                FMRegressor::load,
                FMRegressionModel::load)
            .with("factorSize", 2)
            .with("seed", 5L),
        new Kind(
                new LinearRegression(),
                new org.apache.spark.ml.regression.LinearRegression(),
                "time",
                LinearRegression::load,
                LinearRegressionModel::load)
            .with("solver", "l-bfgs")
            .with("elasticNetParam", 0.5),
        new Kind(
                new AFTSurvivalRegression(),
                new org.apache.spark.ml.regression.AFTSurvivalRegression(),
                "time",
                AFTSurvivalRegression::load,
                AFTSurvivalRegressionModel::load)
            .with("fitIntercept", false),
        new Kind(
                new KMeans(),
                new org.apache.spark.ml.clustering.KMeans(),
                "",
                KMeans::load,
                KMeansModel::load)
            .with("k", 3)
            .with("seed", 5L));
  }

  @Test
  void noEstimatorIsLeftOut() {
    Set<String> names = kinds().stream().map(Kind::name).collect(Collectors.toSet());
    assertEquals(Estimators.names(), names);
  }

  /** Also a seed, which MLlib makes of the name of its class. */
  @Test
  @Tag("cross-version")
  void defaultsAreMllibs() {
    for (Kind kind : kinds()) {
      List<String> expected = Estimators.defaults(kind.plain());
      assertEquals(expected, Estimators.defaults(kind.ours()), kind.name());
      assertEquals(expected, Estimators.defaults(kind.ours().copy(ParamMap.empty())), kind.name());
    }
  }

  @Test
  void isSavedAndLoadedAndSoIsItsModel(@TempDir Path folder) throws Exception {
    for (Kind kind : kinds()) {
      Estimator<?> ours = kind.with("maxIter", 3).ours();
      if (!kind.label().isEmpty()) {
        kind.with("labelCol", kind.label());
      }
      String path = folder.resolve(kind.name()).toString();
      ((MLWritable) ours).save(path);
      Estimator<?> loaded = kind.load().apply(path);
      assertEquals(ours.getClass(), loaded.getClass());
      assertEquals(ours.uid(), loaded.uid());
      assertEquals(parameters(ours), parameters(loaded), kind.name());
      assertEquals(Estimators.defaults(ours), Estimators.defaults(loaded), kind.name());
      ((MLWritable) kind.plain()).save(path + "-mllib");
      Estimator<?> mllibs = kind.load().apply(path + "-mllib");
      assertEquals(ours.getClass(), mllibs.getClass());
      assertEquals(kind.plain().uid(), mllibs.uid());
      assertEquals(parameters(kind.plain()), parameters(mllibs), kind.name());

      Model<?> model = (Model<?>) loaded.fit(rows);
      assertEquals(kind.plain().fit(rows).getClass(), model.getClass());
      ((MLWritable) model).save(path + "-model");
      Model<?> again = kind.loadModel().apply(path + "-model");
      assertEquals(ours.uid(), model.parent().uid());
      assertEquals(predictions(model), predictions(again), kind.name());
      assertTrue(predictions(model).stream().distinct().count() > 1, kind.name());
    }
  }

  @Test
  void anotherEstimatorIsNotLoaded(@TempDir Path folder) throws Exception {
    String path = folder.resolve("machine").toString();
    new org.apache.spark.ml.classification.LinearSVC().save(path);
    for (Kind kind : kinds()) {
      if (kind.plain().getClass() == org.apache.spark.ml.classification.LinearSVC.class) {
        continue;
      }
      String message =
          assertThrows(InvalidInputException.class, () -> kind.load().apply(path)).getMessage();
      assertTrue(message.contains(kind.ours().getClass().getName()), message);
      assertTrue(message.contains(kind.plain().getClass().getName()), message);
      assertTrue(
          message.contains("load this by org.apache.spark.ml.classification.LinearSVC"), message);
    }
  }

  @SuppressWarnings("unchecked") // each takes its own values
  private static List<String> parameters(Estimator<?> estimator) {
    return Arrays.stream(estimator.params())
        .map(each -> (Param<Object>) each)
        .filter(estimator::isDefined)
        .map(each -> each.name() + " " + each.jsonEncode(estimator.getOrDefault(each)))
        .toList();
  }

  /** MLlib's sums of blocks of a few rows have other last digits than that of one block. */
  @Test
  void rowsComeInBlocksOfTheSizeThatIsAsked() {
    for (Kind kind : kinds()) {
      if (!kind.ours().hasParam("maxBlockSizeInMB")) {
        continue;
      }
      kind.with("maxIter", 4);
      if (!kind.label().isEmpty()) {
        kind.with("labelCol", kind.label());
      }
      double[] inOne = numbers((Model<?>) kind.ours().fit(rows));
      kind.with("maxBlockSizeInMB", 0.001);
      double[] inSeveral = numbers((Model<?>) kind.ours().fit(rows));
      Same.numbers(numbers((Model<?>) kind.plain().fit(rows)), inSeveral);
      boolean byRow = kind.ours() instanceof KMeans; // adds up one row after the other
      assertEquals(byRow, Arrays.equals(inOne, inSeveral), kind.name());
    }
  }

  private static double[] numbers(Model<?> model) {
    if (model instanceof LogisticRegressionModel logistic) {
      return logistic.coefficients().toArray();
    }
    if (model instanceof LinearSVCModel machine) {
      return machine.coefficients().toArray();
    }
    if (model instanceof LinearRegressionModel linear) {
      return linear.coefficients().toArray();
    }
    if (model instanceof AFTSurvivalRegressionModel survival) {
      return survival.coefficients().toArray();
    }
    return Arrays.stream(((KMeansModel) model).clusterCenters())
        .flatMapToDouble(centre -> Arrays.stream(centre.toArray()))
        .toArray();
  }

  private static List<Row> predictions(Model<?> model) {
    return model.transform(rows).select("prediction").collectAsList();
  }

  @Test
  void numbersThatAreNoneAreMllibsError() {
    Vector nowhere = Vectors.dense(Double.NaN, 1, 1, 1); // whichever of these rows comes first
    var broken =
        functions.udf(
            (Vector features, Double time) -> time < 1 ? nowhere : features,
            SQLDataTypes.VectorType());
    Dataset<Row> features =
        rows.withColumn("features", broken.apply(rows.col("features"), rows.col("time")));
    for (Kind kind : kinds()) {
      if (!kind.label().isEmpty()) {
        kind.with("labelCol", kind.label());
        Dataset<Row> labels =
            rows.withColumn(
                kind.label(),
                functions
                    .when(rows.col("time").lt(1), Double.NaN)
                    .otherwise(rows.col(kind.label())));
        sameError(kind, labels, "NaN");
      }
      sameError(kind, features, "NaN");
    }
  }

  /** Of those that scale features: MLlib refuses these, or makes a model of them. */
  @Test
  void featuresWhoseSquaresAreInfiniteAreAsMllibTakesThem() {
    var among =
        functions.udf(
            (Vector features, Double time) ->
                time < 1 ? Vectors.dense(1, Double.MAX_VALUE * time, 1, 1) : features,
            SQLDataTypes.VectorType());
    Dataset<Row> features =
        rows.withColumn("features", among.apply(rows.col("features"), rows.col("time")));
    int refused = 0;
    for (Kind kind : kinds()) {
      if (!kind.ours().hasParam("maxBlockSizeInMB") || kind.ours() instanceof KMeans) {
        continue;
      }
      kind.with("labelCol", kind.label());
      double[] expected;
      try {
        expected = numbers((Model<?>) kind.plain().fit(features));
      } catch (IllegalArgumentException e) {
        sameError(kind, features, "init value should <= bound");
        refused++;
        continue;
      }
      double[] actual = numbers((Model<?>) kind.ours().fit(features));
      assertArrayEquals(expected, actual, 1e-8, kind.name());
    }
    assertTrue(refused > 0, "none is refused");
  }

  @Test
  @Tag("cross-version")
  void whatIsNotThereIsMllibsError() {
    for (Kind kind : kinds()) {
      if (!kind.label().isEmpty()) {
        kind.with("labelCol", kind.label());
        sameError(kind, without(kind.label()), "Null");
      }
      sameError(kind, without("features"), "MUST NOT be Null");
    }
  }

  /** Rows of which some have nothing in a column. */
  private static Dataset<Row> without(String column) {
    return rows.withColumn(column, functions.when(rows.col("time").geq(1), rows.col(column)));
  }

  @Test
  void vectorsOfDifferentLengthsAreMllibsError() {
    Vector shorter = Vectors.dense(1, 1);
    var cut =
        functions.udf(
            (Vector features, Double time) -> time < 1 ? shorter : features,
            SQLDataTypes.VectorType());
    Dataset<Row> mixed =
        rows.withColumn("features", cut.apply(rows.col("features"), rows.col("time"))).coalesce(1);
    for (Kind kind : kinds()) {
      if (kind.ours() instanceof LinearRegression || kind.ours() instanceof LinearSVC) {
        kind.with("labelCol", kind.label());
        Throwable expected = root(assertThrows(Throwable.class, () -> kind.plain().fit(mixed)));
        Throwable actual = root(assertThrows(Throwable.class, () -> kind.ours().fit(mixed)));
        assertEquals(expected.getMessage(), actual.getMessage(), kind.name());
      }
    }
  }

  /** That of MLlib, whatever Spark has put around it, and it is about what is wrong here. */
  private static void sameError(Kind kind, Dataset<Row> data, String about) {
    Throwable expected = root(assertThrows(Throwable.class, () -> kind.plain().fit(data)));
    Throwable actual = root(assertThrows(Throwable.class, () -> kind.ours().fit(data)));
    assertEquals(expected.getClass(), actual.getClass(), kind.name());
    assertEquals(expected.getMessage(), actual.getMessage(), kind.name());
    assertTrue(actual.getMessage().contains(about), actual.getMessage());
  }

  private static Throwable root(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }
}
