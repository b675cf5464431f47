package org.sparkcollectives.ml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.classification.FMClassificationModel;
import org.apache.spark.ml.classification.LinearSVCModel;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.clustering.KMeansModel;
import org.apache.spark.ml.evaluation.MulticlassClassificationEvaluator;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.ml.linalg.Matrices;
import org.apache.spark.ml.linalg.Matrix;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.AFTSurvivalRegressionModel;
import org.apache.spark.ml.regression.FMRegressionModel;
import org.apache.spark.ml.regression.LinearRegressionModel;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.CrossValidatorModel;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.internal.error.CauseChain;
import org.sparkcollectives.testing.Jobs;
import org.sparkcollectives.testing.SharedCluster;

/** The estimators against MLlib's, and what MLlib does with estimators. */
@Timeout(240)
class EstimatorsIT {
  private static SparkSession session;
  private static Dataset<Row> rows;
  private static Dataset<Row> few;

  @BeforeAll
  static void start() {
    session =
        SparkSession.builder()
            .config(SmallTables.in(SharedCluster.get().conf("estimators", 2, 1, "768m")))
            .getOrCreate();
    rows = Examples.of(session, 600, 6, 4);
    assertEquals(600, rows.count()); // to fill Spark's cache is a job of the first who asks
    few = Examples.of(session, 120, 3, 3);
  }

  @AfterAll
  static void stop() {
    session.stop();
  }

  /** The application's. */
  static SparkSession session() {
    return session;
  }

  /** Here, since executors take longer to start than to train. */
  @Nested
  class OfLogisticRegression extends LogisticRegressionCases {}

  @Nested
  class OfEach extends EveryEstimatorCases {}

  @Test
  void linearSvc() {
    LinearSVCModel expected =
        new org.apache.spark.ml.classification.LinearSVC()
            .setRegParam(0.05)
            .setMaxIter(6)
            .setWeightCol("weight")
            .fit(rows);
    LinearSVCModel actual =
        new LinearSVC().setRegParam(0.05).setMaxIter(6).setWeightCol("weight").fit(rows);
    Same.coefficients(expected.coefficients(), actual.coefficients());
    assertEquals(expected.intercept(), actual.intercept(), 1e-8);
    Same.histories(expected.summary().objectiveHistory(), actual.summary().objectiveHistory());
  }

  @Test
  @Tag("cross-version")
  void linearRegression() {
    for (String loss : new String[] {"squaredError", "huber"}) {
      double elastic = loss.equals("huber") ? 0 : 0.4;
      LinearRegressionModel expected =
          new org.apache.spark.ml.regression.LinearRegression()
              .setLabelCol("time")
              .setSolver("l-bfgs")
              .setLoss(loss)
              .setMaxIter(6)
              .setRegParam(0.03)
              .setElasticNetParam(elastic)
              .setStandardization(false)
              .fit(rows);
      LinearRegression estimator = new LinearRegression();
      estimator.setLabelCol("time").setSolver("l-bfgs").setLoss(loss).setMaxIter(6);
      estimator.setRegParam(0.03).setElasticNetParam(elastic).setStandardization(false);
      LinearRegressionModel actual = estimator.fit(rows);
      Same.coefficients(expected.coefficients(), actual.coefficients());
      assertEquals(expected.intercept(), actual.intercept(), 1e-8);
      assertEquals(expected.scale(), actual.scale(), 1e-8);
      Same.histories(expected.summary().objectiveHistory(), actual.summary().objectiveHistory());
      assertEquals(
          expected.summary().rootMeanSquaredError(), actual.summary().rootMeanSquaredError(), 1e-8);
    }
  }

  /** The squares of such labels are infinite; MLlib scales before it squares. */
  @Test
  void linearRegressionOfLabelsThatHaveNoSquares() {
    Dataset<Row> huge = rows.withColumn("time", rows.col("time").multiply(1e155));
    var plain = new org.apache.spark.ml.regression.LinearRegression();
    LinearRegressionModel expected =
        plain.setLabelCol("time").setSolver("l-bfgs").setMaxIter(6).fit(huge);
    LinearRegression estimator = new LinearRegression();
    estimator.setLabelCol("time").setSolver("l-bfgs").setMaxIter(6);
    LinearRegressionModel actual = estimator.fit(huge);
    assertTrue(Double.isFinite(expected.intercept()));
    Same.coefficients(expected.coefficients(), actual.coefficients());
    assertEquals(1, actual.intercept() / expected.intercept(), 1e-8);
  }

  @Test
  void linearRegressionByNormalEquations() {
    LinearRegressionModel expected =
        new org.apache.spark.ml.regression.LinearRegression().setLabelCol("time").fit(rows);
    LinearRegressionModel actual = new LinearRegression().setLabelCol("time").fit(rows);
    Same.coefficients(expected.coefficients(), actual.coefficients());
    assertEquals(6 + 1, actual.summary().pValues().length);
  }

  @Test
  @Tag("cross-version")
  void survivalRegression() {
    AFTSurvivalRegressionModel expected =
        new org.apache.spark.ml.regression.AFTSurvivalRegression()
            .setLabelCol("time")
            .setMaxIter(6)
            .fit(rows);
    AFTSurvivalRegressionModel actual =
        new AFTSurvivalRegression().setLabelCol("time").setMaxIter(6).fit(rows);
    Same.coefficients(expected.coefficients(), actual.coefficients());
    assertEquals(expected.intercept(), actual.intercept(), 1e-8);
    assertEquals(expected.scale(), actual.scale(), 1e-8);
  }

  @Test
  @Tag("cross-version")
  void kMeans() {
    for (String measure : new String[] {"euclidean", "cosine"}) {
      var plain = new org.apache.spark.ml.clustering.KMeans().setSolver("block").setK(7);
      plain.setSeed(11).setDistanceMeasure(measure).setWeightCol("weight").setTol(1e-6);
      KMeans collective = new KMeans();
      collective.setK(7).setSeed(11).setDistanceMeasure(measure).setWeightCol("weight");
      collective.setTol(1e-6);
      KMeansModel expected = plain.fit(rows);
      KMeansModel actual = collective.fit(rows);
      for (int i = 0; i < 7; i++) {
        Same.coefficients(expected.clusterCenters()[i], actual.clusterCenters()[i]);
      }
      assertEquals(expected.summary().numIter(), actual.summary().numIter());
      double cost = expected.summary().trainingCost();
      assertEquals(cost, actual.summary().trainingCost(), 1e-8 * cost);
      assertArrayEquals(expected.summary().clusterSizes(), actual.summary().clusterSizes());
      assertTrue(actual.summary().numIter() > 3, "iterations");
    }
  }

  @Test
  void kMeansOfFewerPointsThanClusters() {
    Dataset<Row> few = rows.limit(3);
    var plain = new org.apache.spark.ml.clustering.KMeans().setSolver("row").setK(5).setSeed(3);
    KMeans collective = new KMeans();
    collective.setK(5).setSeed(3);
    var expected = plain.fit(few).summary();
    var actual = collective.fit(few).summary();
    assertEquals(expected.k(), actual.k());
    assertEquals(expected.clusterSizes().length, actual.clusterSizes().length);
    Dataset<Row> none = rows.filter("label > 5");
    for (String start : List.of("random", "k-means||")) {
      plain.setInitMode(start);
      collective.setInitMode(start);
      Class<?> refused = assertThrows(Exception.class, () -> plain.fit(none)).getClass();
      assertEquals(
          refused, assertThrows(Exception.class, () -> collective.fit(none)).getClass(), start);
    }
  }

  @Test
  @Tag("cross-version")
  void factorizationMachines() {
    var plain = new org.apache.spark.ml.regression.FMRegressor().setLabelCol("time").setMaxIter(5);
    plain.setFactorSize(2).setSeed(2).setMiniBatchFraction(0.4).setStepSize(0.2);
    plain.setFitIntercept(false);
    FMRegressor collective = new FMRegressor();
    collective.setLabelCol("time").setMaxIter(5);
    collective.setFactorSize(2).setSeed(2).setMiniBatchFraction(0.4).setStepSize(0.2);
    collective.setFitIntercept(false);
    FMRegressionModel expected = plain.fit(rows);
    FMRegressionModel actual = collective.fit(rows);
    Same.numbers(expected.factors().toArray(), actual.factors().toArray());
    Same.coefficients(expected.linear(), actual.linear());
    assertEquals(expected.intercept(), actual.intercept(), 1e-8);

    var classifier = new org.apache.spark.ml.classification.FMClassifier().setMaxIter(5).setSeed(2);
    FMClassifier ours = new FMClassifier();
    ours.setMaxIter(5).setSeed(2);
    FMClassificationModel wanted = classifier.fit(rows);
    int[] jobs = {jobs(() -> classifier.fit(rows)), jobs(() -> ours.fit(rows))};
    assertTrue(jobs[1] < jobs[0] - 3, "jobs: " + Arrays.toString(jobs));
    FMClassificationModel found = ours.fit(rows);
    Same.numbers(wanted.factors().toArray(), found.factors().toArray());
    Same.histories(wanted.summary().objectiveHistory(), found.summary().objectiveHistory());

    classifier.setTol(2);
    ours.setTol(2);
    Exception refused = assertThrows(IllegalArgumentException.class, () -> classifier.fit(rows));
    Exception same = assertThrows(IllegalArgumentException.class, () -> ours.fit(rows));
    assertEquals(refused.getMessage(), same.getMessage());
  }

  @Test
  @Tag("cross-version")
  void aTrainingIsOneJobFromTheFirstRowOnAndOneThatFetchesTheModel() {
    LogisticRegression estimator = new LogisticRegression();
    LogisticRegressionModel[] model = new LogisticRegressionModel[1];
    assertEquals(2, jobs(() -> model[0] = estimator.fit(rows)), "jobs");
    assertTrue(model[0].summary().totalIterations() > 10, "iterations");
  }

  @Test
  void rowsWithoutWeightAreMllibsError() {
    Dataset<Row> nothing = rows.withColumn("weight", rows.col("weight").multiply(0));
    Throwable expected =
        assertThrows(
            Throwable.class,
            () ->
                new org.apache.spark.ml.regression.LinearRegression()
                    .setLabelCol("time")
                    .setSolver("l-bfgs")
                    .setWeightCol("weight")
                    .fit(nothing));
    LinearRegression estimator = new LinearRegression();
    estimator.setLabelCol("time").setSolver("l-bfgs").setWeightCol("weight");
    Throwable actual = assertThrows(Throwable.class, () -> estimator.fit(nothing));
    assertEquals(expected.getClass(), actual.getClass());
    assertEquals(expected.getMessage(), actual.getMessage());
  }

  @Test
  void rowsWithoutADirectionHaveNoCosine() {
    Dataset<Row> rows = ofOneNumber(0, 1, 2, -1, -2);
    var plain = new org.apache.spark.ml.clustering.KMeans().setK(2).setSeed(1);
    plain.setDistanceMeasure("cosine").setInitMode("random");
    KMeans ours = new KMeans();
    ours.setK(2).setSeed(1).setDistanceMeasure("cosine").setInitMode("random");
    for (Estimator<?> each : List.of(plain, ours)) {
      Throwable e = assertThrows(Throwable.class, () -> each.fit(rows));
      String text =
          CauseChain.find(e, EstimatorsIT::zeroLength).map(Throwable::toString).orElse("");
      assertFalse(text.isEmpty(), each + ": " + e);
    }
  }

  private static boolean zeroLength(Throwable thrown) {
    return String.valueOf(thrown.getMessage()).contains("not defined for zero-length vectors");
  }

  /** Rows of one feature and the label 0. */
  private static Dataset<Row> ofOneNumber(double... numbers) {
    StructType schema =
        new StructType().add("features", SQLDataTypes.VectorType()).add("label", "double");
    return session.createDataFrame(
        Arrays.stream(numbers)
            .mapToObj(each -> RowFactory.create(Vectors.dense(each), 0.0))
            .toList(),
        schema);
  }

  @Test
  void labelsThatAreAllZeroWithinBoundsAreMllibsError() {
    Matrix least = Matrices.dense(1, 1, new double[] {-1});
    Dataset<Row> rows = ofOneNumber(1, 2, 3);
    var plain = new org.apache.spark.ml.classification.LogisticRegression();
    LogisticRegression ours = new LogisticRegression();
    plain.setLowerBoundsOnCoefficients(least);
    ours.setLowerBoundsOnCoefficients(least);
    Throwable expected = assertThrows(Throwable.class, () -> plain.fit(rows));
    Throwable actual = assertThrows(Throwable.class, () -> ours.fit(rows));
    assertEquals(expected.toString(), actual.toString());
  }

  @Test
  void severalTrainingsAtOnceInCrossValidation() {
    LogisticRegression ours = new LogisticRegression();
    CrossValidatorModel actual = validated(ours, ours.regParam());
    var plain = new org.apache.spark.ml.classification.LogisticRegression();
    CrossValidatorModel expected = validated(plain, plain.regParam());
    assertArrayEquals(expected.avgMetrics(), actual.avgMetrics(), 1e-8);
    assertEquals(
        ((LogisticRegressionModel) expected.bestModel()).getRegParam(),
        ((LogisticRegressionModel) actual.bestModel()).getRegParam());
  }

  @Test
  void inAPipelineThatIsSavedAndLoaded(@TempDir Path folder) throws Exception {
    VectorAssembler assembler =
        new VectorAssembler().setInputCols(new String[] {"time", "features"}).setOutputCol("all");
    LinearSVC estimator = new LinearSVC();
    estimator.setFeaturesCol("all").setMaxIter(5);
    String path = folder.resolve("pipeline").toString();
    new Pipeline().setStages(new PipelineStage[] {assembler, estimator}).save(path);
    Pipeline loaded = Pipeline.load(path);
    assertEquals(LinearSVC.class, loaded.getStages()[1].getClass());
    PipelineModel model = loaded.fit(rows);
    assertEquals(LinearSVCModel.class, model.stages()[1].getClass());
    assertEquals(7, ((LinearSVCModel) model.stages()[1]).coefficients().size());
  }

  private static CrossValidatorModel validated(
      org.apache.spark.ml.classification.LogisticRegression estimator,
      org.apache.spark.ml.param.DoubleParam parameter) {
    ParamMap[] grid = new ParamGridBuilder().addGrid(parameter, new double[] {0.01, 1.0}).build();
    return new CrossValidator()
        .setEstimator(estimator.setMaxIter(3))
        .setEstimatorParamMaps(grid)
        .setEvaluator(new MulticlassClassificationEvaluator().setMetricName("logLoss"))
        .setNumFolds(2)
        .setSeed(5)
        .setParallelism(2)
        .fit(few);
  }

  private static int jobs(Runnable action) {
    return Jobs.of(session.sparkContext(), action);
  }
}
