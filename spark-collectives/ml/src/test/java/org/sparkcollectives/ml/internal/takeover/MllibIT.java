package org.sparkcollectives.ml.internal.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Gauge;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.ml.classification.LinearSVC;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.classification.MultilayerPerceptronClassifier;
import org.apache.spark.ml.clustering.GaussianMixture;
import org.apache.spark.ml.clustering.KMeans;
import org.apache.spark.ml.clustering.LDA;
import org.apache.spark.ml.evaluation.BinaryClassificationEvaluator;
import org.apache.spark.ml.feature.PCA;
import org.apache.spark.ml.feature.Word2Vec;
import org.apache.spark.ml.linalg.Matrices;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.AFTSurvivalRegression;
import org.apache.spark.ml.regression.FMRegressor;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.ml.regression.LinearRegressionModel;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.apache.spark.mllib.clustering.GaussianMixtureModel;
import org.apache.spark.mllib.linalg.distributed.RowMatrix;
import org.apache.spark.mllib.stat.MultivariateStatisticalSummary;
import org.apache.spark.mllib.stat.Statistics;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.spark.CollectivesPlugin;
import org.sparkcollectives.testing.SharedCluster;
import scala.jdk.javaapi.CollectionConverters;

/** Programs of MLlib, unchanged, with the plugin and without: the same numbers. */
@Timeout(300)
class MllibIT {
  private static final String SWITCH = "spark.collectives.mllib.enabled";
  private static final int FEATURES = 12;

  private static SparkSession session;
  private static Dataset<Row> points;

  @TempDir static Path folder;

  @BeforeAll
  static void start() {
    SparkConf conf =
        SharedCluster.get()
            .conf("mllib", 2, 2, "512m")
            .set("spark.plugins", CollectivesPlugin.class.getName())
            .set("spark.sql.warehouse.dir", folder.toString())
            .set("spark.sql.shuffle.partitions", "2");
    session = SparkSession.builder().config(conf).getOrCreate();
    points = points().repartition(5).cache();
  }

  @AfterAll
  static void stop() {
    session.stop();
  }

  /** Rows with labels 0, 1 and 2 that depend on the features, a target, a weight and words. */
  private static Dataset<Row> points() {
    SplittableRandom random = new SplittableRandom(12);
    List<Row> rows =
        IntStream.range(0, 300)
            .mapToObj(
                i -> {
                  double[] x = random.doubles(FEATURES, -1, 1).toArray();
                  double noise = random.nextDouble(-0.4, 0.4);
                  double target = 2 * x[0] - x[1] + 0.5 * x[2] + noise;
                  double[] counts = Arrays.stream(x).map(v -> Math.floor(2 + 2 * v)).toArray();
                  return RowFactory.create(
                      target > 0 ? 1.0 : 0.0,
                      target > 1 ? 2.0 : target > -1 ? 1.0 : 0.0,
                      target,
                      Math.exp(target),
                      i % 4 == 0 ? 0.0 : 1.0,
                      0.5 + i % 3,
                      i % 5 == 0 ? Vectors.dense(x).toSparse() : Vectors.dense(x),
                      Vectors.dense(counts),
                      List.of("a" + i % 7, "b" + i % 5, "c", "d" + i % 3));
                })
            .toList();
    return session.createDataFrame(
        rows,
        new StructType(
            new StructField[] {
              field("label", DataTypes.DoubleType),
              field("class", DataTypes.DoubleType),
              field("target", DataTypes.DoubleType),
              field("time", DataTypes.DoubleType),
              field("censor", DataTypes.DoubleType),
              field("weight", DataTypes.DoubleType),
              field("features", SQLDataTypes.VectorType()),
              field("counts", SQLDataTypes.VectorType()),
              field("words", DataTypes.createArrayType(DataTypes.StringType))
            }));
  }

  private static StructField field(String name, org.apache.spark.sql.types.DataType type) {
    return new StructField(name, type, false, Metadata.empty());
  }

  private static RDD<org.apache.spark.mllib.linalg.Vector> rows() {
    return points
        .javaRDD()
        .map(row -> org.apache.spark.mllib.linalg.Vectors.fromML((Vector) row.getAs("features")))
        .rdd();
  }

  /** What the plugin has counted. */
  private static long count(String name) {
    return CollectionConverters.asJava(
            SparkEnv.get()
                .metricsSystem()
                .getSourcesByName("plugin." + CollectivesPlugin.class.getName()))
        .stream()
        .map(source -> (Gauge<?>) source.metricRegistry().getMetrics().get(name))
        .mapToLong(gauge -> (Long) gauge.getValue())
        .sum();
  }

  /** Computes something without and with the plugin, and tells how much was taken over. */
  private static Taken same(Function<Dataset<Row>, double[]> program) {
    session.sparkContext().setLocalProperty(SWITCH, "false");
    Taken before = Taken.now();
    double[] plain = program.apply(points);
    assertEquals(before, Taken.now(), "nothing is taken over from a thread that said so");
    session.sparkContext().setLocalProperty(SWITCH, null);
    double[] taken = program.apply(points);
    double norm = Math.sqrt(DoubleStream.of(plain).map(x -> x * x).sum());
    assertEquals(plain.length, taken.length);
    for (int i = 0; i < plain.length; i++) {
      assertEquals(plain[i], taken[i], 1e-8 * norm, "number " + i);
    }
    Taken after = Taken.now();
    return new Taken(
        after.trainings - before.trainings,
        after.sums - before.sums,
        after.objects - before.objects);
  }

  /** What was taken over. */
  private record Taken(long trainings, long sums, long objects) {
    static Taken now() {
      return new Taken(count("mllib.trainings"), count("mllib.sums"), count("mllib.objects"));
    }
  }

  private static double[] numbers(LogisticRegressionModel model) {
    return all(
        model.coefficientMatrix().toArray(),
        model.interceptVector().toArray(),
        model.summary().objectiveHistory());
  }

  private static double[] numbers(LinearRegressionModel model) {
    return all(
        model.coefficients().toArray(),
        new double[] {model.intercept(), model.scale(), model.summary().rootMeanSquaredError()},
        model.summary().objectiveHistory());
  }

  private static double[] all(double[]... parts) {
    return Stream.of(parts).flatMapToDouble(Arrays::stream).toArray();
  }

  private static LogisticRegression logistic() {
    return new LogisticRegression().setMaxIter(8).setRegParam(0.01);
  }

  private static void assertTrained(Taken taken) {
    assertEquals(1, taken.trainings, taken::toString);
    assertEquals(0, taken.sums, taken::toString);
  }

  @Test
  @Tag("cross-version")
  void logisticRegression() {
    assertTrained(same(data -> numbers(logistic().fit(data))));
    assertTrained(same(data -> numbers(logistic().setElasticNetParam(0.5).fit(data))));
    assertTrained(
        same(
            data ->
                numbers(logistic().setWeightCol("weight").setStandardization(false).fit(data))));
    assertTrained(same(data -> numbers(logistic().setLabelCol("class").fit(data))));
    assertTrained(
        same(
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
    Taken taken =
        same(
            data ->
                new CrossValidator()
                    .setEstimator(logistic)
                    .setEstimatorParamMaps(grid)
                    .setEvaluator(new BinaryClassificationEvaluator())
                    .setNumFolds(2)
                    .setSeed(5)
                    .setParallelism(2)
                    .fit(data)
                    .avgMetrics());
    assertEquals(5, taken.trainings, taken::toString);
  }

  @Test
  void linearRegression() {
    LinearRegression linear =
        new LinearRegression().setLabelCol("target").setMaxIter(8).setRegParam(0.01);
    assertTrained(same(data -> numbers(linear.setSolver("l-bfgs").fit(data))));
    assertTrained(same(data -> numbers(linear.setLoss("huber").fit(data))));
    Taken normal =
        same(data -> numbers(linear.setLoss("squaredError").setSolver("normal").fit(data)));
    assertTrue(normal.objects > 0, normal::toString);
  }

  @Test
  void linearSvc() {
    assertTrained(
        same(
            data -> {
              var model = new LinearSVC().setMaxIter(6).setRegParam(0.01).fit(data);
              return all(
                  model.coefficients().toArray(),
                  new double[] {model.intercept()},
                  model.summary().objectiveHistory());
            }));
  }

  @Test
  void survivalRegression() {
    assertTrained(
        same(
            data -> {
              var model = new AFTSurvivalRegression().setMaxIter(6).setLabelCol("time").fit(data);
              return all(
                  model.coefficients().toArray(), new double[] {model.intercept(), model.scale()});
            }));
  }

  @Test
  @Tag("cross-version")
  void factorizationMachinesAndPerceptronsBySumsOfTuples() {
    Taken regressor =
        same(
            data ->
                new FMRegressor()
                    .setMaxIter(3)
                    .setFactorSize(2)
                    .setLabelCol("target")
                    .setMiniBatchFraction(0.5)
                    .setSeed(3)
                    .fit(data)
                    .factors()
                    .toArray());
    assertTrue(regressor.sums >= 3, regressor::toString);
    Taken perceptron =
        same(
            data ->
                new MultilayerPerceptronClassifier()
                    .setLayers(new int[] {FEATURES, 4, 3})
                    .setLabelCol("class")
                    .setMaxIter(3)
                    .setSeed(3)
                    .fit(data)
                    .weights()
                    .toArray());
    assertTrue(perceptron.sums >= 3, perceptron::toString);
  }

  @Test
  @Tag("cross-version")
  void rowMatrices() {
    Taken components =
        same(
            data ->
                new PCA().setK(3).setInputCol("features").fit(data).explainedVariance().toArray());
    assertTrue(components.sums + components.objects >= 2, components::toString);
    Taken gramian = same(data -> new RowMatrix(rows()).computeGramianMatrix().toArray());
    assertEquals(new Taken(0, 1, 0), gramian);
    Taken qr =
        same(
            data -> // whose signs depend on the order in which MLlib stacks
            Arrays.stream(new RowMatrix(rows()).tallSkinnyQR(false).R().toArray())
                    .map(Math::abs)
                    .toArray());
    assertEquals(1, qr.objects, qr::toString);
  }

  @Test
  void summaries() {
    Taken statistics =
        same(
            data -> {
              MultivariateStatisticalSummary summary = Statistics.colStats(rows());
              return all(
                  summary.mean().toArray(),
                  summary.variance().toArray(),
                  summary.max().toArray(),
                  summary.normL1().toArray(),
                  new double[] {summary.count()});
            });
    assertEquals(new Taken(0, 0, 1), statistics);
  }

  @Test
  void mixturesAndTopics() {
    Taken mixture =
        same(
            data -> {
              GaussianMixtureModel model =
                  new org.apache.spark.mllib.clustering.GaussianMixture()
                      .setK(2)
                      .setMaxIterations(2)
                      .setSeed(1)
                      .run(rows());
              return all(model.weights(), model.gaussians()[0].mu().toArray());
            });
    assertTrue(mixture.objects >= 2, mixture::toString);
    Taken topics =
        same(
            data ->
                new LDA()
                    .setK(3)
                    .setMaxIter(2)
                    .setSeed(2)
                    .setFeaturesCol("counts")
                    .setSubsamplingRate(0.5)
                    .fit(data)
                    .topicsMatrix()
                    .toArray());
    assertTrue(topics.sums >= 2, topics::toString);
  }

  /** Their steps are shuffles, which stay Spark's. */
  @Test
  void whatIsNotTakenOverIsTheSame() {
    Taken means =
        same(
            data ->
                all(
                    Arrays.stream(
                            new KMeans()
                                .setK(3)
                                .setSeed(1)
                                .setInitMode("random")
                                .setMaxIter(2)
                                .fit(data)
                                .clusterCenters())
                        .map(Vector::toArray)
                        .toArray(double[][]::new)));
    assertEquals(new Taken(0, 0, 0), means);
    Taken mixture =
        same(data -> new GaussianMixture().setK(2).setSeed(1).setMaxIter(1).fit(data).weights());
    assertEquals(0, mixture.trainings);
    Taken words =
        same(
            data ->
                new Word2Vec()
                        .setInputCol("words")
                        .setVectorSize(4)
                        .setMinCount(1)
                        .setSeed(1)
                        .fit(data.coalesce(1)) // so that its shuffle keeps the order
                        .getVectors()
                        .collectAsList()
                        .stream()
                        .flatMapToDouble(row -> Arrays.stream(((Vector) row.get(1)).toArray()))
                        .sorted()
                        .toArray());
    assertEquals(0, words.trainings);
  }
}
