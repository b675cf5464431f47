package org.sparkcollectives.ml.internal.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sparkcollectives.ml.internal.takeover.Compared.FEATURES;
import static org.sparkcollectives.ml.internal.takeover.Compared.alone;
import static org.sparkcollectives.ml.internal.takeover.Compared.assertTrained;
import static org.sparkcollectives.ml.internal.takeover.MllibIT.numbers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.attribute.AttributeGroup;
import org.apache.spark.ml.classification.LinearSVC;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.classification.OneVsRest;
import org.apache.spark.ml.classification.OneVsRestModel;
import org.apache.spark.ml.clustering.KMeans;
import org.apache.spark.ml.feature.HashingTF;
import org.apache.spark.ml.linalg.Matrices;
import org.apache.spark.ml.linalg.Matrix;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.AFTSurvivalRegression;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.Metadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.testing.Await;
import org.sparkcollectives.testing.Jobs;
import org.sparkcollectives.testing.LogLines;

/**
 * MLlib's estimators that are trained from the first row to the model as the library's own are; in
 * the application of {@link MllibIT}.
 */
@Timeout(300)
abstract class EstimatorCases {
  /** How many values the column {@code class} has. */
  private static final int CLASSES = 3;

  private static Compared compared;
  private static SparkContext context;

  @BeforeAll
  static void start() {
    compared = MllibIT.compared();
    context = compared.points().sparkSession().sparkContext();
  }

  private static LogisticRegression logistic() {
    return new LogisticRegression().setMaxIter(5).setRegParam(0.01);
  }

  /** A user's, which might train otherwise. */
  private static final class OfAUser extends LogisticRegression {
    private static final long serialVersionUID = 1L;
  }

  @Test
  @Tag("cross-version")
  void theyRunTheJobsOfTheLibrarysOwn() {
    assertJobs(
        new org.sparkcollectives.ml.LogisticRegression().setMaxIter(5), logistic().setRegParam(0));
    assertJobs(
        new org.sparkcollectives.ml.LinearSVC().setMaxIter(5), new LinearSVC().setMaxIter(5));
    assertJobs(
        new org.sparkcollectives.ml.LinearRegression()
            .setSolver("l-bfgs")
            .setMaxIter(5)
            .setLabelCol("target"),
        new LinearRegression().setSolver("l-bfgs").setMaxIter(5).setLabelCol("target"));
    assertJobs(
        new org.sparkcollectives.ml.AFTSurvivalRegression().setMaxIter(5).setLabelCol("time"),
        new AFTSurvivalRegression().setMaxIter(5).setLabelCol("time"));
  }

  private static void assertJobs(Estimator<?> own, Estimator<?> mllibs) {
    int expected = jobs(own, compared.points());
    Compared.Taken before = Compared.Taken.now();
    long left = MllibExtension.counts().leftToSpark();
    assertEquals(expected, jobs(mllibs, compared.points()), mllibs::uid);
    Compared.Taken now = Compared.Taken.now();
    assertEquals(1, now.trainings() - before.trainings(), mllibs::uid);
    assertEquals(before.objects(), now.objects(), mllibs::uid);
    assertEquals(left, MllibExtension.counts().leftToSpark(), mllibs::uid);
  }

  private static int jobs(Estimator<?> estimator, Dataset<Row> data) {
    return Jobs.of(
        context,
        () -> {
          var unused = estimator.fit(data);
        });
  }

  /** MLlib's own code sums up the rows before the loop that is taken over. */
  @Test
  void ofAUsersSubclassTheLoopAloneIsTakenOver() {
    Compared.Taken taken =
        compared.same(data -> numbers(new OfAUser().setMaxIter(5).setRegParam(0.01).fit(data)));
    assertTrained(taken);
    int more = jobs(new OfAUser().setMaxIter(5), compared.points());
    assertTrue(more > jobs(new LogisticRegression().setMaxIter(5), compared.points()), "jobs");
  }

  /** Of most of them no row has any, so that ranks leave their coefficients out. */
  @Test
  @Tag("cross-version")
  void hashedFeatures() {
    HashingTF hashing =
        new HashingTF().setInputCol("words").setOutputCol("hashed").setNumFeatures(20_000);
    LogisticRegression logistic = logistic().setFeaturesCol("hashed");
    LinearRegression linear =
        new LinearRegression().setRegParam(0.01).setMaxIter(8).setFeaturesCol("hashed");
    assertTrained(
        compared.same(
            data ->
                numbers(
                    logistic
                        .copy(ParamMap.empty())
                        .setElasticNetParam(0.3)
                        .setStandardization(false)
                        .fit(hashing.transform(data)))));
    assertTrained(
        compared.same(
            data ->
                numbers(
                    logistic
                        .copy(ParamMap.empty())
                        .setLabelCol("class")
                        .fit(hashing.transform(data)))));
    for (String loss : List.of("huber", "squaredError")) {
      assertTrained(
          compared.same(
              data -> {
                var model =
                    linear
                        .copy(ParamMap.empty())
                        .setLoss(loss)
                        .setSolver("l-bfgs")
                        .setLabelCol("target")
                        .fit(hashing.transform(data));
                return List.of(
                    model.coefficients().toArray(), alone(model.intercept()), alone(model.scale()));
              }));
    }
    assertTrained(
        compared.same(
            data -> {
              var model =
                  new LinearSVC()
                      .setMaxIter(8)
                      .setRegParam(0.01)
                      .setFeaturesCol("hashed")
                      .fit(hashing.transform(data));
              return List.of(model.coefficients().toArray(), alone(model.intercept()));
            }));
    assertTrained(
        compared.same(
            data -> {
              var model =
                  new AFTSurvivalRegression()
                      .setMaxIter(8)
                      .setLabelCol("time")
                      .setFeaturesCol("hashed")
                      .fit(hashing.transform(data));
              return List.of(model.coefficients().toArray(), alone(model.intercept()));
            }));
  }

  /** Classes 0, 1 and 2 with bounds on both sides, of which some are met. */
  @Test
  void boundsOfSeveralClasses() {
    double[] largest = new double[1];
    assertTrained(
        compared.same(
            data -> {
              LogisticRegressionModel model =
                  logistic()
                      .setLabelCol("class")
                      .setLowerBoundsOnCoefficients(ofClasses(-0.3))
                      .setUpperBoundsOnCoefficients(ofClasses(0.4))
                      .setLowerBoundsOnIntercepts(Vectors.dense(-0.2, 0.1, -0.3))
                      .setUpperBoundsOnIntercepts(Vectors.dense(0.5, 0.3, 0.1))
                      .fit(data);
              double[] coefficients = model.coefficientMatrix().toArray();
              largest[0] = Arrays.stream(coefficients).max().orElseThrow();
              return numbers(model);
            }));
    assertEquals(0.4, largest[0], 1e-12);
  }

  private static Matrix ofClasses(double bound) {
    double[] bounds = new double[CLASSES * FEATURES];
    Arrays.fill(bounds, bound);
    return Matrices.dense(CLASSES, FEATURES, bounds);
  }

  /** More trainings at once than slots, each of which needs all of these. */
  @Test
  void oneTrainingForEachClassAtOnce() {
    Compared.Taken taken =
        compared.same(
            data -> {
              OneVsRestModel model =
                  new OneVsRest()
                      .setClassifier(logistic())
                      .setLabelCol("class")
                      .setParallelism(CLASSES)
                      .fit(data);
              return Arrays.stream(model.models())
                  .flatMap(each -> numbers((LogisticRegressionModel) each).stream())
                  .toList();
            });
    assertEquals(CLASSES, taken.trainings(), taken::toString);
    assertEquals(0, taken.sums(), taken::toString);
  }

  @Test
  void whatNeedsNoTrainingIsMllibs() {
    Compared.Taken normal =
        compared.same(
            data -> {
              var model = new LinearRegression().setLabelCol("target").fit(data);
              return List.of(model.coefficients().toArray(), model.summary().pValues());
            });
    assertEquals(0, normal.trainings());
    Compared.Taken constant =
        compared.same(
            data -> {
              var model = logistic().fit(data.where("label = 1.0"));
              return List.of(model.coefficients().toArray(), alone(1 / model.intercept()));
            });
    assertEquals(0, constant.trainings());
  }

  @Test
  void mllibAloneAsksTheFirstRowHowToSolve() {
    LinearRegression estimator = new LinearRegression().setLabelCol("target");
    context.setLocalProperty("spark.collectives.mllib.enabled", "false");
    int expected = jobs(estimator, compared.points());
    context.setLocalProperty("spark.collectives.mllib.enabled", null);
    assertEquals(expected, jobs(estimator, compared.points()));
  }

  /** Ranks decline labels that are all the same, once; MLlib's loop over them is taken over. */
  @Test
  @Tag("cross-version")
  void whatRanksDeclineGoesOnWithMllibsTrain() {
    LinearRegression mllibs = new LinearRegression();
    var own = new org.sparkcollectives.ml.LinearRegression();
    for (LinearRegression each : new LinearRegression[] {mllibs, own}) {
      each.setSolver("l-bfgs").setFitIntercept(false).setMaxIter(5).setLabelCol("one");
    }
    String[] columns = {"features", "CAST(1 AS DOUBLE) AS one"};
    assertTrained(
        compared.same(
            data -> List.of(mllibs.fit(data.selectExpr(columns)).coefficients().toArray())));
    Dataset<Row> data = compared.points().selectExpr(columns);
    assertEquals(jobs(own, data), jobs(mllibs, data));
  }

  @Test
  @Tag("cross-version")
  void modelsAreSavedAndKnowTheirEstimator(@TempDir Path folder) throws IOException {
    LogisticRegression estimator = logistic().setThreshold(0.3).setPredictionCol("guess");
    LogisticRegressionModel model = estimator.fit(compared.points());
    assertSame(estimator, model.parent());
    assertEquals(estimator.uid(), model.uid());
    assertEquals(LogisticRegressionModel.class, model.getClass());
    String path = folder.resolve("model").toString();
    model.save(path);
    LogisticRegressionModel loaded = LogisticRegressionModel.load(path);
    assertEquals(model.coefficients(), loaded.coefficients());
    assertEquals(model.intercept(), loaded.intercept());
    assertEquals(0.3, loaded.getThreshold());
    assertEquals("guess", loaded.getPredictionCol());
  }

  @Test
  void thresholds() {
    assertTrained(
        compared.same(
            data -> {
              var model = logistic().setThreshold(0.8).fit(data);
              return List.of(
                  alone(model.summary().accuracy()),
                  alone(model.getThreshold()),
                  alone((double) model.transform(data).where("prediction = 1").count()));
            }));
    assertTrained(
        compared.same(
            data -> {
              var model =
                  logistic()
                      .setLabelCol("class")
                      .setThresholds(new double[] {0.1, 0.8, 0.3})
                      .fit(data);
              return List.of(model.getThresholds(), alone(model.summary().accuracy()));
            }));
  }

  @Test
  void startsFromAModelThatIsGiven() {
    LogisticRegressionModel first = logistic().fit(compared.points());
    assertTrained(
        compared.same(
            data -> {
              LogisticRegressionModel again = logistic().setInitialModel(first).fit(data);
              assertTrue(
                  again.summary().objectiveHistory()[0] < first.summary().objectiveHistory()[1],
                  "starts lower");
              return numbers(again);
            }));
  }

  @Test
  @Tag("cross-version")
  void aModelThatCannotBeTheStartIsSaidToBeIgnored() {
    LogisticRegressionModel ofThree = logistic().setLabelCol("class").fit(compared.points());
    assertSameWarning(logistic().setInitialModel(ofThree), "Initial");
  }

  @Test
  @Tag("cross-version")
  void dataThatAreCachedAlreadyAreWarnedOf() {
    assertSameWarning(new KMeans().setK(2).setSolver("block").setMaxIter(1), "Input vectors");
  }

  private static void assertSameWarning(Estimator<?> estimator, String start) {
    context.setLocalProperty("spark.collectives.mllib.enabled", "false");
    List<String> expected = warnings(estimator, start);
    context.setLocalProperty("spark.collectives.mllib.enabled", null);
    assertEquals(1, expected.size(), expected::toString);
    assertEquals(expected, warnings(estimator, start));
  }

  /** What a training warns of at the driver from some words on, without what names the training. */
  private static List<String> warnings(Estimator<?> estimator, String start) {
    try (LogLines log = new LogLines("org.apache.spark.ml.util.Instrumentation")) {
      var unused = estimator.fit(compared.points());
      return log.lines().stream()
          .filter(line -> line.startsWith("WARN") && line.contains(start))
          .map(line -> line.substring(line.indexOf(start)))
          .toList();
    }
  }

  @Test
  @Tag("cross-version")
  void errorsAreMllibs() {
    Dataset<Row> points = compared.points();
    Dataset<Row> nan =
        points
            .sparkSession()
            .createDataFrame(
                points.select("label", "features").javaRDD().map(EstimatorCases::withoutNumber),
                points.select("label", "features").schema());
    sameError(logistic(), nan);
    sameError(new LinearSVC(), nan);
    sameError(new KMeans().setSolver("block"), nan);
    sameError(new KMeans(), nan);
    sameError(new LinearSVC().setLabelCol("class"), points);
    sameError(logistic().setThresholds(new double[] {0.1, 0.2, 0.7}), points);
    Metadata longer = new AttributeGroup("features", FEATURES + 1).toMetadata();
    sameError(
        new LinearRegression().setSolver("l-bfgs").setLabelCol("target"),
        points.withMetadata("features", longer));
    Dataset<Row> halfCensored =
        points.withColumn("censor", functions.lit(0.5)); // the error quotes it
    sameError(new AFTSurvivalRegression().setLabelCol("time"), halfCensored);
  }

  /** Ranks decline features without a scale; what MLlib does with them is taken over. */
  @ParameterizedTest
  @ValueSource(strings = {"whole", "divided"})
  void featuresWhoseSquaresAreInfinite(String vectors) {
    Dataset<Row> points = compared.points();
    Dataset<Row> huge =
        points
            .sparkSession()
            .createDataFrame(points.javaRDD().map(EstimatorCases::hugeNumber), points.schema());
    context.setLocalProperty("spark.collectives.mllib.vectors", vectors);
    try {
      sameError(logistic(), huge);
      sameError(new LinearRegression().setSolver("l-bfgs").setLabelCol("target"), huge);
      sameError(new AFTSurvivalRegression().setLabelCol("time"), huge);
      for (String enabled : new String[] {"false", "true"}) {
        context.setLocalProperty("spark.collectives.mllib.enabled", enabled);
        assertTrue(Double.isNaN(new LinearSVC().fit(huge).coefficients().apply(3)), enabled);
      }
    } finally {
      context.setLocalProperty("spark.collectives.mllib.enabled", null);
      context.setLocalProperty("spark.collectives.mllib.vectors", null);
    }
  }

  /** Every fourth row with a number that has no square. */
  private static Row hugeNumber(Row row) {
    int at = row.fieldIndex("features");
    Object[] values = IntStream.range(0, row.size()).mapToObj(row::get).toArray();
    if (row.getDouble(row.fieldIndex("censor")) == 0) {
      double[] x = ((Vector) values[at]).toArray().clone();
      x[3] = Double.MAX_VALUE;
      values[at] = Vectors.dense(x);
    }
    return RowFactory.create(values);
  }

  private static Row withoutNumber(Row row) {
    double[] x = new double[FEATURES];
    x[3] = Double.NaN;
    return RowFactory.create(row.get(0), Vectors.dense(x));
  }

  private static void sameError(Estimator<?> estimator, Dataset<Row> data) {
    context.setLocalProperty("spark.collectives.mllib.enabled", "false");
    Exception expected;
    try {
      expected = assertThrows(Exception.class, () -> estimator.fit(data));
    } finally {
      context.setLocalProperty("spark.collectives.mllib.enabled", null);
    }
    long trainings = MllibExtension.counts().trainings();
    Exception actual = assertThrows(Exception.class, () -> estimator.fit(data));
    assertEquals(root(expected).getClass(), root(actual).getClass());
    assertEquals(root(expected).getMessage(), root(actual).getMessage());
    assertEquals(trainings, MllibExtension.counts().trainings());
  }

  private static Throwable root(Throwable thrown) {
    return thrown.getCause() == null ? thrown : root(thrown.getCause());
  }

  @Test
  void aTrainingCanBeCancelled() {
    Dataset<Row> points = compared.points();
    Dataset<Row> slow =
        points
            .sparkSession()
            .createDataFrame(points.javaRDD().map(EstimatorCases::slowly), points.schema());
    Compared.Taken before = Compared.Taken.now();
    long left = MllibExtension.counts().leftToSpark();
    CompletableFuture<LogisticRegressionModel> training =
        CompletableFuture.supplyAsync(
            () -> {
              context.setJobGroup("slow", "a training", true);
              return logistic().fit(slow);
            });
    Await.until(
        "a job",
        () -> context.statusTracker().getJobIdsForGroup("slow").length > 0 || training.isDone());
    context.cancelJobGroup("slow");
    ExecutionException thrown =
        assertThrows(ExecutionException.class, () -> training.get(60, TimeUnit.SECONDS));
    assertTrue(String.valueOf(root(thrown).getMessage()).contains("cancelled"), thrown.toString());
    Jobs.settle(context);
    assertEquals(1, context.statusTracker().getJobIdsForGroup("slow").length, "jobs");
    assertEquals(before, Compared.Taken.now());
    assertEquals(left, MllibExtension.counts().leftToSpark());
  }

  private static Row slowly(Row row) throws InterruptedException {
    TimeUnit.SECONDS.sleep(1);
    return row;
  }
}
