package org.sparkcollectives.ml.internal.takeover;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sparkcollectives.ml.internal.takeover.Compared.FEATURES;
import static org.sparkcollectives.ml.internal.takeover.Compared.alone;
import static org.sparkcollectives.ml.internal.takeover.Compared.assertTrained;

import java.io.Serial;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.SparkContext;
import org.apache.spark.ml.classification.FMClassifier;
import org.apache.spark.ml.classification.MultilayerPerceptronClassifier;
import org.apache.spark.ml.clustering.KMeans;
import org.apache.spark.ml.clustering.KMeansModel;
import org.apache.spark.ml.regression.FMRegressor;
import org.apache.spark.mllib.classification.LogisticRegressionWithLBFGS;
import org.apache.spark.mllib.classification.LogisticRegressionWithSGD;
import org.apache.spark.mllib.classification.SVMWithSGD;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.L1Updater;
import org.apache.spark.mllib.optimization.LBFGS;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.regression.GeneralizedLinearAlgorithm;
import org.apache.spark.mllib.regression.GeneralizedLinearModel;
import org.apache.spark.mllib.regression.LabeledPoint;
import org.apache.spark.mllib.regression.LassoWithSGD;
import org.apache.spark.mllib.regression.LinearRegressionWithSGD;
import org.apache.spark.mllib.regression.RidgeRegressionWithSGD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.ml.internal.training.Descent;
import org.sparkcollectives.testing.LogLines;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What MLlib trains by its older optimisers, and its k-means, with the plugin and without: the same
 * numbers, each in one stage; in the application of {@link MllibIT}.
 */
@Timeout(300)
abstract class DescentCases {
  private static Compared compared;

  @BeforeAll
  static void start() {
    compared = MllibIT.compared();
  }

  /** All rows, parts by which Spark's sampler draws numbers, and parts by which it jumps. */
  @Test
  @Tag("cross-version")
  void factorizationMachines() {
    for (double fraction : new double[] {1, 0.3}) {
      FMRegressor machine = new FMRegressor().setMaxIter(4).setMiniBatchFraction(fraction);
      assertTrained(compared.same(data -> numbers(machine, data)));
    }
    for (boolean linear : new boolean[] {false, true}) {
      FMRegressor machine = new FMRegressor().setMaxIter(2).setFitLinear(linear);
      assertTrained(compared.same(data -> numbers(machine.setFitIntercept(false), data)));
      if (!linear) {
        assertTrained(compared.same(data -> numbers(machine.setFitIntercept(true), data)));
      }
    }
    for (String solver : new String[] {"gd", "adamW"}) {
      assertTrained(
          compared.same(
              data -> {
                var model =
                    new FMClassifier()
                        .setMaxIter(4)
                        .setFactorSize(3)
                        .setSolver(solver)
                        .setRegParam(0.01)
                        .setMiniBatchFraction(0.6)
                        .setStepSize(0.3)
                        .setSeed(4)
                        .fit(data);
                return List.of(
                    model.factors().toArray(),
                    model.linear().toArray(),
                    model.summary().objectiveHistory());
              }));
    }
  }

  private static List<double[]> numbers(FMRegressor machine, Dataset<Row> data) {
    var model = machine.setFactorSize(2).setLabelCol("target").setSeed(3).fit(data);
    return List.of(model.factors().toArray(), model.linear().toArray(), alone(model.intercept()));
  }

  @Test
  @Tag("cross-version")
  void perceptrons() {
    for (String solver : new String[] {"l-bfgs", "gd"}) {
      assertTrained(
          compared.same(
              data -> {
                var model =
                    new MultilayerPerceptronClassifier()
                        .setLayers(new int[] {FEATURES, 4, 3})
                        .setLabelCol("class")
                        .setSolver(solver)
                        .setBlockSize(16)
                        .setMaxIter(5)
                        .setSeed(3)
                        .fit(data);
                return List.of(model.weights().toArray(), model.summary().objectiveHistory());
              }));
    }
  }

  @Test
  @Tag("cross-version")
  void logisticRegressionOfMllib() {
    for (int classes : new int[] {2, 3}) { // the first is ml's
      Compared.Taken taken =
          compared.same(
              data -> {
                LogisticRegressionWithLBFGS algorithm = new LogisticRegressionWithLBFGS();
                algorithm.setNumClasses(classes).optimizer().setNumIterations(6).setRegParam(0.01);
                return fitted(algorithm, data, classes == 2 ? "label" : "class");
              });
      assertTrained(taken);
    }
  }

  @Test
  @Tag("cross-version")
  void linearModelsOfMllib() {
    assertTrained(
        compared.same(
            data -> fitted(new LinearRegressionWithSGD(0.5, 8, 0.0, 0.7), data, "target")));
    assertTrained(
        compared.same(
            data -> {
              SVMWithSGD algorithm = new SVMWithSGD();
              algorithm.optimizer().setNumIterations(8).setRegParam(0.1);
              return fitted(algorithm, data, "label");
            }));
    assertTrained(
        compared.same(
            data -> {
              LassoWithSGD algorithm = new LassoWithSGD(0.5, 8, 0.2, 1.0);
              algorithm.setIntercept(true);
              return fitted(algorithm, data, "target");
            }));
    assertTrained(
        compared.same(
            data -> {
              RidgeRegressionWithSGD algorithm = new RidgeRegressionWithSGD(0.5, 8, 0.2, 0.7);
              algorithm.setIntercept(true);
              return fitted(algorithm, data, "target");
            }));
    assertTrained(
        compared.same(
            data -> fitted(new LogisticRegressionWithSGD(0.5, 8, 0.2, 0.7), data, "label")));
  }

  @Test
  void itEndsWhereSparkEnds() {
    int[] batches = new int[1];
    assertTrained(
        compared.same(
            data -> {
              List<double[]> found = batches(rows(data, "target"), 60, 1, 0.05);
              batches[0] = found.get(1).length;
              return found;
            }));
    assertTrue(batches[0] > 3 && batches[0] < 60, "batches: " + batches[0]);
    assertTrained(compared.same(data -> batches(rows(data, "target"), 0, 1, 0.05)));
  }

  @Test
  void batchesWithoutRows() {
    assertTrained(
        compared.same(data -> batches(rows(data.filter("target > 2.3"), "target"), 12, 0.1, 0)));
    assertTrained(
        compared.same(data -> batches(rows(data.filter("weight < 0"), "target"), 12, 0.5, 0)));
  }

  @Test
  @Tag("cross-version")
  void moreThanAllRowsAreRefusedAsMllibDoes() {
    RDD<Tuple2<Object, Vector>> rows = rows(compared.points(), "target");
    SparkContext context = rows.context();
    context.setLocalProperty("spark.collectives.mllib.enabled", "false");
    Exception expected;
    try {
      expected = assertThrows(IllegalArgumentException.class, () -> batches(rows, 3, 1.5, 0));
    } finally {
      context.setLocalProperty("spark.collectives.mllib.enabled", null);
    }
    Exception actual = assertThrows(IllegalArgumentException.class, () -> batches(rows, 3, 1.5, 0));
    assertEquals(expected.getMessage(), actual.getMessage());
  }

  /** What MLlib warns of at the driver, and what the library does. */
  private static final Map<String, String> WARNINGS =
      Map.of(
          "Testing against a convergenceTol", "Ending by a tolerance",
          "Not all examples will be used", "Not all rows will be used",
          "no data found", "no batch had rows",
          "The miniBatchFraction is too small", "less than one row on average",
          "The size of sampled batch is zero", "batches without rows");

  @Test
  @Tag("cross-version")
  void batchesAreWarnedOfWhereMllibWarns() {
    Set<String> seen = new HashSet<>();
    seen.addAll(sameWarnings("target > 2.5", 12, 0.1, 0));
    seen.addAll(sameWarnings("target > 0", 2, 0.3, 0));
    seen.addAll(sameWarnings("target > 0", 4, 0.5, 0.05));
    seen.addAll(sameWarnings("weight < 0", 4, 0.5, 0));
    assertEquals(Set.of(), sameWarnings("target > 0", 4, 1, 0));
    assertEquals(WARNINGS.keySet(), seen);
  }

  /** What MLlib warns of, as the library does. */
  private static Set<String> sameWarnings(
      String rows, int iterations, double fraction, double tolerance) {
    RDD<Tuple2<Object, Vector>> some = rows(compared.points().filter(rows), "target");
    SparkContext context = some.context();
    context.setLocalProperty("spark.collectives.mllib.enabled", "false");
    List<String> mllibs;
    try (LogLines log = new LogLines("org.apache.spark.mllib.optimization.GradientDescent")) {
      var unused = batches(some, iterations, fraction, tolerance);
      mllibs = log.lines();
    } finally {
      context.setLocalProperty("spark.collectives.mllib.enabled", null);
    }
    try (LogLines log = new LogLines(Descent.class.getName())) {
      var unused = batches(some, iterations, fraction, tolerance);
      WARNINGS.forEach(
          (mllib, own) -> assertEquals(warns(mllibs, mllib), warns(log.lines(), own), mllib));
    }
    return WARNINGS.keySet().stream().filter(text -> warns(mllibs, text)).collect(toSet());
  }

  private static boolean warns(List<String> lines, String text) {
    return lines.stream().anyMatch(line -> line.startsWith("WARN") && line.contains(text));
  }

  @Test
  void lbfgsOfMllib() {
    assertTrained(
        compared.same(
            data -> lbfgs(rows(data, "label"), new LogisticGradient(), 7, 1e-5, 9, 0.05)));
  }

  /** MLlib is through with a row before it reads the next; a rank holds them all. */
  @Test
  void rowsInOneArray() {
    assertTrained(compared.same(data -> batches(reusing(data), 5, 0.5, 0)));
    assertTrained(
        compared.same(data -> lbfgs(reusing(data), new LeastSquaresGradient(), 6, 1e-6, 5, 0.1)));
  }

  /** Each partition's rows, all in the same array. */
  private static RDD<Tuple2<Object, Vector>> reusing(Dataset<Row> data) {
    return rows(data, "target")
        .toJavaRDD()
        .mapPartitions(
            rows -> {
              double[] array = new double[FEATURES];
              Vector features = Vectors.dense(array);
              return CollectionConverters.asJava(
                  CollectionConverters.asScala(rows)
                      .map(
                          row -> {
                            System.arraycopy(row._2().toArray(), 0, array, 0, FEATURES);
                            return new Tuple2<>(row._1(), features);
                          }));
            })
        .rdd();
  }

  /** What its class does is not known, so that each of its sums is, and the loop is Spark's. */
  @Test
  @Tag("cross-version")
  void gradientsOfUsersAreSummedStepByStep() {
    long left = MllibExtension.counts().leftToSpark();
    Compared.Taken descent =
        compared.same(
            data -> {
              Tuple2<Vector, double[]> found =
                  GradientDescent.runMiniBatchSGD(
                      rows(data, "target"),
                      new Twice(),
                      new L1Updater(),
                      0.2,
                      4,
                      0.1,
                      0.5,
                      Vectors.zeros(FEATURES),
                      0);
              return List.of(found._1().toArray(), found._2());
            });
    assertEquals(new Compared.Taken(0, 5, 0), descent);
    assertEquals(left + 1, MllibExtension.counts().leftToSpark());
    Compared.Taken lbfgs =
        compared.same(data -> lbfgs(rows(data, "target"), new Twice(), 5, 1e-6, 3, 0.1));
    assertEquals(0, lbfgs.trainings());
    assertTrue(lbfgs.sums() >= 3, lbfgs::toString);
  }

  @Test
  @Tag("cross-version")
  void clusters() {
    for (String solver : new String[] {"row", "block"}) {
      for (String measure : new String[] {"euclidean", "cosine"}) {
        assertTrained(
            compared.same(
                data ->
                    numbers(
                        new KMeans()
                            .setK(5)
                            .setSeed(1)
                            .setSolver(solver)
                            .setDistanceMeasure(measure)
                            .setWeightCol("weight")
                            .setMaxIter(7)
                            .setTol(1e-6)
                            .fit(data))));
      }
    }
    assertTrained(
        compared.same(
            data -> numbers(new KMeans().setK(4).setInitMode("random").setSeed(2).fit(data))));
  }

  /** So many that Spark computes their distances to each other in a job for each iteration. */
  @Test
  void manyClusters() {
    assertTrained(
        compared.same(
            data ->
                numbers(
                    new KMeans()
                        .setK(290)
                        .setInitMode("random")
                        .setSeed(1)
                        .setSolver("row")
                        .setMaxIter(3)
                        .fit(data))));
  }

  @Test
  void clustersOfMllibFromAModel() {
    assertTrained(
        compared.same(
            data -> {
              var first =
                  new org.apache.spark.mllib.clustering.KMeansModel(
                      new Vector[] {Vectors.zeros(FEATURES), Vectors.dense(ones()).compressed()});
              var model =
                  new org.apache.spark.mllib.clustering.KMeans()
                      .setK(2)
                      .setInitialModel(first)
                      .setMaxIterations(4)
                      .run(compared.rows());
              return List.of(
                  model.clusterCenters()[0].toArray(),
                  model.clusterCenters()[1].toArray(),
                  alone(model.trainingCost()));
            }));
  }

  private static double[] ones() {
    double[] ones = new double[FEATURES];
    Arrays.fill(ones, 1);
    return ones;
  }

  private static List<double[]> numbers(KMeansModel model) {
    return List.of(
        Arrays.stream(model.clusterCenters())
            .flatMapToDouble(centre -> Arrays.stream(centre.toArray()))
            .toArray(),
        alone(model.summary().trainingCost()),
        alone(model.summary().numIter()));
  }

  private static List<double[]> lbfgs(
      RDD<Tuple2<Object, Vector>> rows,
      Gradient gradient,
      int corrections,
      double tolerance,
      int iterations,
      double regParam) {
    Tuple2<Vector, double[]> found =
        LBFGS.runLBFGS(
            rows,
            gradient,
            new SquaredL2Updater(),
            corrections,
            tolerance,
            iterations,
            regParam,
            Vectors.zeros(FEATURES));
    return List.of(found._1().toArray(), found._2());
  }

  private static List<double[]> batches(
      RDD<Tuple2<Object, Vector>> rows, int iterations, double fraction, double tolerance) {
    Tuple2<Vector, double[]> found =
        GradientDescent.runMiniBatchSGD(
            rows,
            new LeastSquaresGradient(),
            new SquaredL2Updater(),
            0.8,
            iterations,
            0.01,
            fraction,
            Vectors.zeros(FEATURES),
            tolerance);
    return List.of(found._1().toArray(), found._2());
  }

  private static List<double[]> fitted(
      GeneralizedLinearAlgorithm<? extends GeneralizedLinearModel> algorithm,
      Dataset<Row> data,
      String label) {
    RDD<LabeledPoint> points =
        data.javaRDD().map(row -> new LabeledPoint(row.getAs(label), features(row))).rdd();
    GeneralizedLinearModel model = algorithm.run(points);
    return List.of(model.weights().toArray(), alone(model.intercept()));
  }

  private static RDD<Tuple2<Object, Vector>> rows(Dataset<Row> data, String label) {
    return data.javaRDD()
        .map(row -> new Tuple2<Object, Vector>(row.getAs(label), features(row)))
        .rdd();
  }

  private static Vector features(Row row) {
    return Vectors.fromML(row.getAs("features"));
  }

  /** A user's gradient. */
  private static final class Twice extends Gradient {
    @Serial private static final long serialVersionUID = 1L;
    private final List<Gradient> gradients =
        List.of(new LeastSquaresGradient(), new LeastSquaresGradient());

    @Override
    public double compute(Vector data, double label, Vector weights, Vector sum) {
      double loss = 0;
      for (Gradient gradient : gradients) {
        loss += gradient.compute(data, label, weights, sum);
      }
      return loss;
    }
  }
}
