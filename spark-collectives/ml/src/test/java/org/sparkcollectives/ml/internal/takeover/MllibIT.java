package org.sparkcollectives.ml.internal.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sparkcollectives.ml.internal.takeover.Compared.alone;
import static org.sparkcollectives.ml.internal.takeover.Compared.assertTrained;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.classification.LinearSVC;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.clustering.BisectingKMeans;
import org.apache.spark.ml.clustering.GaussianMixture;
import org.apache.spark.ml.clustering.LDA;
import org.apache.spark.ml.evaluation.MulticlassClassificationEvaluator;
import org.apache.spark.ml.evaluation.RegressionEvaluator;
import org.apache.spark.ml.feature.PCA;
import org.apache.spark.ml.feature.Word2Vec;
import org.apache.spark.ml.linalg.Matrices;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.AFTSurvivalRegression;
import org.apache.spark.ml.regression.GBTRegressionModel;
import org.apache.spark.ml.regression.GBTRegressor;
import org.apache.spark.ml.regression.GeneralizedLinearRegression;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.ml.regression.LinearRegressionModel;
import org.apache.spark.ml.stat.distribution.MultivariateGaussian;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.apache.spark.mllib.clustering.GaussianMixtureModel;
import org.apache.spark.mllib.feature.ElementwiseProduct;
import org.apache.spark.mllib.feature.Word2VecModel;
import org.apache.spark.mllib.linalg.Matrix;
import org.apache.spark.mllib.linalg.SingularValueDecomposition;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.linalg.distributed.RowMatrix;
import org.apache.spark.mllib.stat.MultivariateStatisticalSummary;
import org.apache.spark.mllib.stat.Statistics;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.jdk.javaapi.CollectionConverters;

/** Programs of MLlib, unchanged, with the plugin and without: the same numbers. */
@Timeout(300)
class MllibIT {
  private static final int FEATURES = Compared.FEATURES;
  private static final Compared.Taken NOTHING = new Compared.Taken(0, 0, 0);

  @TempDir static Path folder;

  private static Compared compared;

  @BeforeAll
  static void start() {
    compared = new Compared("mllib", folder);
  }

  @AfterAll
  static void stop() {
    compared.close();
  }

  /** The application's. */
  static Compared compared() {
    return compared;
  }

  /** Here, since executors take longer to start than to train. */
  @Nested
  class Descents extends DescentCases {}

  /** As those are. */
  @Nested
  class Estimators extends EstimatorCases {}

  static List<double[]> numbers(LogisticRegressionModel model) {
    return List.of(
        model.coefficientMatrix().toArray(),
        model.interceptVector().toArray(),
        model.summary().objectiveHistory());
  }

  private static List<double[]> numbers(LinearRegressionModel model) {
    return List.of(
        model.coefficients().toArray(),
        alone(model.intercept()),
        alone(model.scale()),
        alone(model.summary().rootMeanSquaredError()),
        model.summary().objectiveHistory());
  }

  private static LogisticRegression logistic() {
    return new LogisticRegression().setMaxIter(8).setRegParam(0.01);
  }

  @Test
  @Tag("cross-version")
  void logisticRegression() {
    assertTrained(compared.same(data -> numbers(logistic().fit(data))));
    assertTrained(compared.same(data -> numbers(logistic().setElasticNetParam(0.5).fit(data))));
    assertTrained(
        compared.same(
            data ->
                numbers(logistic().setWeightCol("weight").setStandardization(false).fit(data))));
    assertTrained(compared.same(data -> numbers(logistic().setLabelCol("class").fit(data))));
    assertTrained(
        compared.same(
            data ->
                numbers(
                    logistic()
                        .setLowerBoundsOnCoefficients(
                            Matrices.dense(1, FEATURES, new double[FEATURES]))
                        .fit(data))));
  }

  /** More jobs than slots for them, each of which needs all. */
  @Test
  void severalFitsAtOnce() {
    LogisticRegression logistic = logistic().setMaxIter(3);
    ParamMap[] grid =
        new ParamGridBuilder().addGrid(logistic.regParam(), new double[] {0.1, 0.01}).build();
    Compared.Taken taken =
        compared.same(
            data ->
                List.of(
                    new CrossValidator()
                        .setEstimator(logistic)
                        .setEstimatorParamMaps(grid)
                        .setEvaluator(
                            new MulticlassClassificationEvaluator().setMetricName("logLoss"))
                        .setNumFolds(2)
                        .setSeed(5)
                        .setParallelism(2)
                        .fit(data)
                        .avgMetrics()));
    assertEquals(5, taken.trainings(), taken::toString);
  }

  @Test
  void linearRegression() {
    LinearRegression linear =
        new LinearRegression().setLabelCol("target").setMaxIter(8).setRegParam(0.01);
    assertTrained(compared.same(data -> numbers(linear.setSolver("l-bfgs").fit(data))));
    assertTrained(compared.same(data -> numbers(linear.setLoss("huber").fit(data))));
    Compared.Taken normal =
        compared.same(
            data -> numbers(linear.setLoss("squaredError").setSolver("normal").fit(data)));
    assertTrue(normal.objects() > 0, normal::toString);
  }

  /** Normal equations in each iteration. */
  @Test
  void generalizedLinearRegression() {
    var poisson = new GeneralizedLinearRegression().setFamily("poisson").setMaxIter(4);
    Compared.Taken taken =
        compared.same(
            data -> {
              var model = poisson.setRegParam(0.01).fit(data);
              return List.of(model.coefficients().toArray(), alone(model.intercept()));
            });
    assertTrue(taken.objects() > 2, taken::toString);
  }

  @Test
  void linearSvc() {
    assertTrained(
        compared.same(
            data -> {
              var model = new LinearSVC().setMaxIter(6).setRegParam(0.01).fit(data);
              return List.of(
                  model.coefficients().toArray(),
                  alone(model.intercept()),
                  model.summary().objectiveHistory());
            }));
  }

  @Test
  void survivalRegression() {
    assertTrained(
        compared.same(
            data -> {
              var model = new AFTSurvivalRegression().setMaxIter(6).setLabelCol("time").fit(data);
              return List.of(
                  model.coefficients().toArray(), alone(model.intercept()), alone(model.scale()));
            }));
  }

  @Test
  @Tag("cross-version")
  void rowMatrices() {
    Compared.Taken components =
        compared.same(
            data ->
                List.of(
                    new PCA()
                        .setK(3)
                        .setInputCol("features")
                        .fit(data)
                        .explainedVariance()
                        .toArray()));
    assertTrue(components.sums() + components.objects() >= 2, components::toString);
    Compared.Taken gramian =
        compared.same(
            data -> List.of(new RowMatrix(compared.rows()).computeGramianMatrix().toArray()));
    assertEquals(new Compared.Taken(0, 1, 0), gramian);
    Compared.Taken qr =
        compared.same(
            data -> // whose signs depend on the order in which MLlib stacks
            List.of(absolute(new RowMatrix(compared.rows()).tallSkinnyQR(false).R().toArray())));
    assertEquals(new Compared.Taken(0, 0, 0), qr); // nor on that of ranks
  }

  /** Where MLlib has the Gramian decomposed at the driver, in two ways, and where it multiplies. */
  @Test
  void singularValues() {
    for (int values : new int[] {3, 8}) {
      Compared.Taken gramian =
          compared.same(data -> numbers(uneven().computeSVD(values, false, 1e-9)));
      assertEquals(new Compared.Taken(0, 1, 0), gramian);
    }
    Compared.Taken products =
        compared.same(
            data -> numbers(uneven().computeSVD(3, false, 1e-9, 300, 1e-13, "dist-eigs")));
    assertTrue(products.sums() > 3 && products.objects() == 0, products::toString);
  }

  /** Columns of lengths so different that few products tell their directions. */
  private static RowMatrix uneven() {
    double[] scales = IntStream.range(0, FEATURES).mapToDouble(i -> Math.pow(2, -i)).toArray();
    return new RowMatrix(new ElementwiseProduct(Vectors.dense(scales)).transform(compared.rows()));
  }

  /** The signs of vectors depend on where the iterations at the driver start, at random. */
  private static List<double[]> numbers(SingularValueDecomposition<RowMatrix, Matrix> found) {
    return List.of(found.s().toArray(), absolute(found.V().toArray()));
  }

  private static double[] absolute(double[] numbers) {
    return Arrays.stream(numbers).map(Math::abs).toArray();
  }

  @Test
  void summaries() {
    Compared.Taken statistics =
        compared.same(
            data -> {
              MultivariateStatisticalSummary summary = Statistics.colStats(compared.rows());
              return List.of(
                  summary.mean().toArray(),
                  summary.variance().toArray(),
                  summary.max().toArray(),
                  summary.normL1().toArray(),
                  alone((double) summary.count()));
            });
    assertEquals(new Compared.Taken(0, 0, 1), statistics);
  }

  /** Spark 3.5 aggregates summaries that it cannot ask before they were combined once. */
  @Test
  @Tag("cross-version")
  void quantilesOfManyColumnsInOnePartition() {
    String[] columns = IntStream.range(0, 500).mapToObj(i -> "c" + i).toArray(String[]::new);
    String[] expressions =
        IntStream.range(0, columns.length)
            .mapToObj(i -> "target * " + (i + 1) + " as " + columns[i])
            .toArray(String[]::new);
    compared.same(
        data ->
            List.of(
                data.coalesce(1)
                    .selectExpr(expressions)
                    .stat()
                    .approxQuantile(columns, new double[] {0.5}, 0.01)));
  }

  @Test
  @Tag("cross-version")
  void mixtures() {
    GaussianMixture mixture = new GaussianMixture().setK(3).setSeed(1).setTol(1e-3);
    assertTrained(compared.same(data -> numbers(mixture.setMaxIter(40).fit(data))));
    assertTrained(
        compared.same(data -> numbers(mixture.setWeightCol("weight").setMaxIter(4).fit(data))));
    compared.same(data -> numbers(mixture.setMaxIter(0).fit(data)));
  }

  private static List<double[]> numbers(org.apache.spark.ml.clustering.GaussianMixtureModel model) {
    List<double[]> numbers = new ArrayList<>();
    for (MultivariateGaussian each : model.gaussians()) {
      numbers.add(each.mean().toArray());
      numbers.add(each.cov().toArray());
    }
    numbers.add(model.weights());
    numbers.add(alone(model.summary().logLikelihood()));
    numbers.add(alone(model.summary().numIter()));
    return numbers;
  }

  @Test
  void mixturesAndTopicsOfAggregates() {
    Compared.Taken mixture =
        compared.same(
            data -> {
              GaussianMixtureModel model =
                  new org.apache.spark.mllib.clustering.GaussianMixture()
                      .setK(2)
                      .setMaxIterations(2)
                      .setSeed(1)
                      .run(compared.rows());
              return List.of(model.weights(), model.gaussians()[0].mu().toArray());
            });
    assertTrue(mixture.objects() >= 2, mixture::toString);
    Compared.Taken topics =
        compared.same(
            data ->
                List.of(
                    new LDA()
                        .setK(3)
                        .setMaxIter(2)
                        .setSeed(2)
                        .setFeaturesCol("counts")
                        .setSubsamplingRate(0.5)
                        .fit(data)
                        .topicsMatrix()
                        .toArray()));
    assertTrue(topics.sums() >= 2, topics::toString);
  }

  /** With a third executor they would go between executors. */
  @Test
  void largeTopicsOnTwoExecutorsAreSentBySpark() {
    Counts counts = MllibExtension.counts();
    long before = counts.broadcasts();
    JavaSparkContext context =
        new JavaSparkContext(compared.points().sparkSession().sparkContext());
    double[] topics = TopicCases.topics(context, TopicCases.LARGE, 1, i -> {});
    assertTrue(topics.length > 0);
    assertEquals(before, counts.broadcasts());
  }

  /**
   * The partitions have an executor each: MLlib's, on one, would change the same vectors. Sentences
   * come from one partition, so that a shuffle keeps their order.
   */
  @Test
  @Tag("cross-version")
  void wordVectors() {
    for (int partitions : new int[] {1, 2}) {
      assertTrained(
          compared.same(
              data ->
                  numbers(
                      words()
                          .setNumPartitions(partitions)
                          .fit(
                              data.sparkSession()
                                  .range(0, 4000, 1, 1)
                                  .toJavaRDD()
                                  .map(MllibIT::sentence)))));
    }
    assertTrained(
        compared.same(
            data ->
                List.of(
                    new Word2Vec()
                            .setInputCol("words")
                            .setVectorSize(4)
                            .setMinCount(1)
                            .setSeed(1)
                            .fit(data.coalesce(1))
                            .getVectors()
                            .collectAsList()
                            .stream()
                            .flatMapToDouble(row -> Arrays.stream(((Vector) row.get(1)).toArray()))
                            .sorted()
                            .toArray())));
    assertTrained(
        compared.same(
            data -> // more partitions than slots and than sentences
            List.of(
                    alone(
                        words()
                            .setNumPartitions(7)
                            .fit(
                                data.sparkSession()
                                    .range(0, 5, 1, 1)
                                    .toJavaRDD()
                                    .map(unused -> List.of("a", "b")))
                            .getVectors()
                            .size()))));
    Compared.Taken untrained =
        compared.same(
            data ->
                numbers(
                    words()
                        .setNumIterations(0)
                        .fit(
                            data.sparkSession()
                                .range(0, 9, 1, 1)
                                .toJavaRDD()
                                .map(MllibIT::sentence))));
    assertEquals(NOTHING, untrained);
  }

  private static org.apache.spark.mllib.feature.Word2Vec words() {
    return new org.apache.spark.mllib.feature.Word2Vec()
        .setVectorSize(6)
        .setNumIterations(3)
        .setWindowSize(3)
        .setMinCount(2)
        .setMaxSentenceLength(10)
        .setSeed(4);
  }

  /** Up to 15 words, of which some are rare; so many that the rate of learning changes. */
  private static List<String> sentence(long number) {
    SplittableRandom random = new SplittableRandom(number);
    return IntStream.range(0, (int) (number % 16))
        .mapToObj(i -> "w" + (int) (1000 * Math.pow(random.nextDouble(), 4)))
        .toList();
  }

  private static List<double[]> numbers(Word2VecModel model) {
    return List.of(
        CollectionConverters.asJava(model.getVectors()).entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .flatMapToDouble(
                word ->
                    IntStream.range(0, word.getValue().length).mapToDouble(i -> word.getValue()[i]))
            .toArray());
  }

  /** Their steps are shuffles, which stay Spark's. */
  @Test
  void whatIsNotTakenOverIsTheSame() {
    Compared.Taken topics =
        compared.same(
            data ->
                List.of(
                    new LDA()
                        .setOptimizer("em")
                        .setK(3)
                        .setMaxIter(2)
                        .setSeed(2)
                        .setFeaturesCol("counts")
                        .fit(data)
                        .topicsMatrix()
                        .toArray()));
    assertEquals(NOTHING, topics);
    Compared.Taken halves =
        compared.same(
            data ->
                Arrays.stream(new BisectingKMeans().setK(3).setSeed(1).fit(data).clusterCenters())
                    .map(Vector::toArray)
                    .toList());
    assertEquals(NOTHING, halves);
  }

  /** As many barrier stages as trees would gain nothing. */
  @Test
  @Tag("cross-version")
  void errorsOfTreesAreSparks() {
    Compared.Taken trees =
        compared.same(
            data -> {
              GBTRegressionModel model =
                  new GBTRegressor()
                      .setLabelCol("target")
                      .setValidationIndicatorCol("held")
                      .setMaxIter(2)
                      .setMaxDepth(2)
                      .setSeed(1)
                      .fit(data.withColumn("held", data.col("weight").gt(2)));
              return List.of(
                  alone(model.getNumTrees()), model.evaluateEachIteration(data, "squared"));
            });
    assertEquals(NOTHING, trees);
    Compared.Taken loss =
        compared.same(
            data -> // a feature as the probability
            List.of(
                    alone(
                        new MulticlassClassificationEvaluator()
                            .setMetricName("logLoss")
                            .setPredictionCol("label")
                            .setProbabilityCol("features")
                            .evaluate(data))));
    assertEquals(NOTHING, loss);
    Compared.Taken errors =
        compared.same(
            data ->
                List.of(
                    alone(
                        new RegressionEvaluator()
                            .setMetricName("rmse")
                            .setLabelCol("target")
                            .setPredictionCol("weight")
                            .evaluate(data))));
    assertEquals(NOTHING, errors);
  }
}
