package org.sparkcollectives.ml.internal.takeover;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import breeze.linalg.DenseVector;
import breeze.math.MutableInnerProductModule;
import breeze.optimize.FirstOrderMinimizer;
import breeze.optimize.FirstOrderMinimizer.ConvergenceCheck;
import breeze.optimize.LBFGS;
import java.io.IOException;
import java.io.Serial;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.bytebuddy.ByteBuddy;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.clustering.KMeans;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.ml.feature.InstanceBlock$;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.aggregator.BinaryLogisticBlockAggregator;
import org.apache.spark.ml.optim.loss.DifferentiableRegularization;
import org.apache.spark.ml.optim.loss.L2Regularization;
import org.apache.spark.ml.optim.loss.RDDLossFunction;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.SimpleUpdater;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.ml.internal.bridge.DenseVectors;
import org.sparkcollectives.ml.internal.bridge.HereBroadcast;
import org.sparkcollectives.ml.internal.state.Checkpoints;
import org.sparkcollectives.spark.CollectivesPlugin;
import org.sparkcollectives.spark.internal.conf.MadeFor;
import org.sparkcollectives.testing.Await;
import org.sparkcollectives.testing.Jobs;
import org.sparkcollectives.testing.LogLines;
import scala.Option;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/** Trainings that are left to Spark, each twice: the reason is said once. */
@Timeout(180)
class LeftToSparkIT {
  private static final int FEATURES = 3;
  private static final int ROWS = 40;
  private static final MutableInnerProductModule<DenseVector<Object>, Object> SPACE =
      DenseVector.space_Double();

  private static SparkConf conf() {
    return new SparkConf(false)
        .setMaster("local[2]")
        .setAppName("left")
        .set("spark.ui.enabled", "false")
        .set("spark.driver.host", "127.0.0.1")
        .set("spark.driver.bindAddress", "127.0.0.1")
        .set("spark.sql.shuffle.partitions", "2")
        .set("spark.plugins", CollectivesPlugin.class.getName());
  }

  private static double[] features(int row) {
    return new double[] {Math.sin(row), Math.cos(3 * row), row % 5};
  }

  private static double label(int row) {
    return row % 5 + Math.sin(row) > 2 ? 1 : 0;
  }

  /** What is said at level WARN and above by the library's or by MLlib's logs. */
  private static List<String> warnings(LogLines log) {
    return log.lines().stream().filter(line -> !line.startsWith("INFO")).toList();
  }

  /** How many jobs of Spark something runs. */
  private static Dataset<Row> data(SparkSession session) {
    StructType schema =
        new StructType()
            .add("label", DataTypes.DoubleType)
            .add("features", SQLDataTypes.VectorType());
    return session.createDataFrame(
        IntStream.range(0, ROWS)
            .mapToObj(i -> RowFactory.create(label(i), Vectors.dense(features(i))))
            .toList(),
        schema);
  }

  /** What the driver finds is no failure of the library, which takes over the next training. */
  @Test
  void dataThatMllibRefuses() throws IOException {
    try (SparkSession session = SparkSession.builder().config(conf()).getOrCreate();
        LogLines log = new LogLines(Failures.class.getName())) {
      Dataset<Row> data = data(session);
      Dataset<Row> none = data.filter("label > 1");
      KMeans clusters = new KMeans().setSeed(1).setMaxIter(3);
      session.sparkContext().setLocalProperty("spark.collectives.mllib.enabled", "false");
      Exception expected = assertThrows(Exception.class, () -> clusters.fit(none));
      session.sparkContext().setLocalProperty("spark.collectives.mllib.enabled", null);
      Exception thrown = assertThrows(Exception.class, () -> clusters.fit(none));
      assertEquals(expected.getClass(), thrown.getClass());
      String numbers = "\\d+"; // of stages and tasks
      assertEquals(
          expected.getMessage().replaceAll(numbers, ""),
          thrown.getMessage().replaceAll(numbers, ""));
      assertEquals(3, new LogisticRegression().setMaxIter(3).fit(data).numFeatures());
      assertEquals(1, MllibExtension.counts().trainings());
      assertEquals(List.of(), warnings(log));
    }
  }

  /** MLlib asserts that rows are of one length. */
  @Test
  void rowsThatMllibAssertsToBeOthers() throws IOException {
    try (SparkSession session = SparkSession.builder().config(conf()).getOrCreate();
        LogLines log = new LogLines(Failures.class.getName())) {
      Dataset<Row> data = data(session);
      Row empty = RowFactory.create(1.0, Vectors.dense(new double[0]));
      Dataset<Row> uneven =
          data.union(session.createDataFrame(List.of(empty), data.schema())).coalesce(1);
      LinearRegression normal = new LinearRegression().setSolver("normal").setRegParam(0.1);
      Exception thrown = assertThrows(Exception.class, () -> normal.fit(uneven));
      assertTrue(String.valueOf(thrown.getMessage()).contains("AssertionError"), thrown::toString);
      assertEquals(3, new LogisticRegression().setMaxIter(3).fit(data).numFeatures());
      assertEquals(1, MllibExtension.counts().trainings());
      assertEquals(List.of(), warnings(log));
    }
  }

  @Test
  void trainingsThatTheSettingsForbid() throws IOException {
    SparkConf conf =
        conf()
            .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .set("spark.collectives.objects.filter", "*");
    try (SparkSession session = SparkSession.builder().config(conf).getOrCreate();
        LogLines log = new LogLines(Failures.class.getName());
        LogLines mllib = new LogLines("org.apache.spark.ml.util.Instrumentation")) {
      Dataset<Row> data = data(session);
      LogisticRegression estimator = new LogisticRegression().setRegParam(0.1).setMaxIter(4);
      session.sparkContext().setLocalProperty("spark.collectives.mllib.enabled", "false");
      Vector expected = estimator.fit(data).coefficients();
      session.sparkContext().setLocalProperty("spark.collectives.mllib.enabled", null);
      for (int i = 0; i < 2; i++) {
        assertEquals(expected, estimator.fit(data).coefficients());
      }
      for (String solver : List.of("row", "block")) {
        KMeans clusters = new KMeans().setSolver(solver).setSeed(1).setMaxIter(3);
        session.sparkContext().setLocalProperty("spark.collectives.mllib.enabled", "false");
        int jobs = Jobs.of(session.sparkContext(), () -> clusters.fit(data));
        session.sparkContext().setLocalProperty("spark.collectives.mllib.enabled", null);
        assertEquals(jobs, Jobs.of(session.sparkContext(), () -> clusters.fit(data)), solver);
      }
      assertEquals(0, MllibExtension.counts().trainings());
      assertTrue(MllibExtension.counts().leftToSpark() > 0);
      List<String> reasons =
          warnings(log).stream().filter(line -> line.contains("objects.filter")).toList();
      assertEquals(reasons.stream().distinct().toList(), reasons);
      assertTrue(!reasons.isEmpty(), () -> log.lines().toString());
      assertEquals(List.of(), warnings(mllib));
    }
  }

  /** No job of the library is begun for what a rank would not take. */
  @Test
  void aggregatesThatTheFilterDoesNotLetPass() throws IOException {
    SparkConf conf = conf().set("spark.collectives.objects.filter", "java.base/*;!*");
    try (SparkSession session = SparkSession.builder().config(conf).getOrCreate();
        LogLines log = new LogLines(Failures.class.getName())) {
      Dataset<Row> data = data(session);
      LinearRegression normal = new LinearRegression().setSolver("normal").setRegParam(0.1);
      session.sparkContext().setLocalProperty("spark.collectives.mllib.enabled", "false");
      int jobs = Jobs.of(session.sparkContext(), () -> normal.fit(data));
      session.sparkContext().setLocalProperty("spark.collectives.mllib.enabled", null);
      for (int i = 0; i < 2; i++) {
        assertEquals(jobs, Jobs.of(session.sparkContext(), () -> normal.fit(data)));
      }
      JavaRDD<StringBuilder> words =
          new JavaSparkContext(session.sparkContext())
              .parallelize(List.of("a", "b"), 2)
              .map(StringBuilder::new);
      assertEquals(2, words.treeReduce(StringBuilder::append).length());
      assertEquals(0, MllibExtension.counts().objects());
      List<String> reasons = warnings(log);
      assertEquals(reasons.stream().distinct().toList(), reasons);
      for (String named : List.of("WeightedLeastSquares", "treeReduce")) {
        assertTrue(
            reasons.stream()
                .anyMatch(line -> line.contains(named) && line.contains("objects.filter")),
            reasons::toString);
      }
    }
  }

  /** A filter that lets them pass leaves nothing to Spark. */
  @Test
  void aggregatesThatTheFilterLetsPass() throws IOException {
    SparkConf conf =
        conf()
            .set(
                "spark.collectives.objects.filter",
                "java.base/*;org.apache.spark.**;breeze.**;scala.**;!*");
    try (SparkSession session = SparkSession.builder().config(conf).getOrCreate();
        LogLines log = new LogLines(Failures.class.getName())) {
      var unused = new LinearRegression().setSolver("normal").setRegParam(0.1).fit(data(session));
      assertTrue(MllibExtension.counts().objects() > 0);
      assertEquals(List.of(), warnings(log));
    }
  }

  @Test
  void aTrainingThatGetsNoSlotsForLong(@TempDir Path folder) throws Exception {
    SparkConf conf =
        conf()
            .set("spark.collectives.start.timeout", "2s")
            .set("spark.collectives.mllib.checkpointPath", folder.toUri().toString());
    try (JavaSparkContext context = new JavaSparkContext(conf);
        LogLines log = new LogLines(Failures.class.getName())) {
      L2Regularization penalty = new L2Regularization(0.1, new All(), Option.empty());
      JavaFutureAction<Void> holder =
          context
              .parallelize(List.of(1), 1)
              .foreachAsync(
                  i -> {
                    while (!TaskContext.get().isInterrupted()) {
                      Thread.sleep(20);
                    }
                  });
      Await.until("a job", () -> context.statusTracker().getActiveJobIds().length > 0);
      double left = optimised(context, new LBFGS<>(9, 4, 1e-9, SPACE), penalty);
      long before = MllibExtension.counts().leftToSpark();
      assertEquals(left, optimised(context, new LBFGS<>(9, 4, 1e-9, SPACE), penalty), 1e-6);
      assertEquals(0, MllibExtension.counts().trainings());
      assertTrue(MllibExtension.counts().leftToSpark() > before, "those that follow count, too");
      List<String> warnings = warnings(log);
      assertTrue(!warnings.isEmpty(), "nothing said");
      for (String each : warnings) { // more than one where Spark's own way takes that long
        assertTrue(each.contains("has not started within 2000 ms"), warnings::toString);
      }
      holder.cancel(true);
      Thread.sleep(2_500); // for as long everything is left to Spark
      double taken = optimised(context, new LBFGS<>(9, 4, 1e-9, SPACE), penalty);
      assertEquals(left, taken, 1e-6);
      assertEquals(1, MllibExtension.counts().trainings());
      assertArrayEquals(new String[] {"training-3"}, folder.toFile().list(), "of three");
    }
  }

  @Test
  void twoJarsOfAnotherLineAreWarnedOfOnce() {
    try (LogLines log = new LogLines(MadeFor.class.getName());
        JavaSparkContext context =
            new JavaSparkContext(
                new SparkContext(conf()) {
                  @Override
                  public String version() {
                    return "9.9.1";
                  }
                })) {
      assertEquals(1, log.lines().size(), log.lines()::toString);
      assertTrue(log.lines().get(0).contains("runs Spark 9.9.1 (Scala "), log.lines()::toString);
      assertEquals("9.9.1", context.version());
    }
  }

  @Test
  void aFolderOfStatesThatIsNoPathIsAWarning() {
    try (JavaSparkContext context = new JavaSparkContext(conf());
        LogLines log = new LogLines(Checkpoints.class.getName())) {
      L2Regularization penalty = new L2Regularization(0.1, new All(), Option.empty());
      double expected = optimised(context, new LBFGS<>(9, 4, 1e-9, SPACE), penalty);
      context.setLocalProperty("spark.collectives.mllib.checkpointPath", "my:states");
      assertEquals(expected, optimised(context, new LBFGS<>(9, 4, 1e-9, SPACE), penalty));
      assertEquals(2, MllibExtension.counts().trainings());
      String warning = warnings(log).get(0);
      assertTrue(warning.contains("training-1 are not kept: my:states is no path"), warning);
    }
  }

  private static Stream<Throwable> ofTheLibrary() {
    return Stream.of(new AssertionError("a"), new CollectiveException("other bits", null));
  }

  @ParameterizedTest
  @MethodSource("ofTheLibrary")
  void whatRanksMeet(Throwable ofTheLibrary) {
    try (JavaSparkContext context = new JavaSparkContext(conf());
        LogLines log = new LogLines(Failures.class.getName())) {
      L2Regularization penalty = new L2Regularization(0.1, new All(), Option.empty());
      double expected = optimised(context, new LBFGS<>(9, 4, 1e-9, SPACE), penalty);
      assertEquals(1, MllibExtension.counts().trainings());
      IllegalStateException ofTheApplication = new IllegalStateException("a");
      for (Throwable thrown : List.of(ofTheApplication, ofTheLibrary, ofTheApplication)) {
        assertEquals(
            expected,
            optimised(context, new LBFGS<>(9, 4, 1e-9, SPACE), penalty, new Aggregators(thrown)),
            1e-6);
      }
      assertEquals(expected, optimised(context, new LBFGS<>(9, 4, 1e-9, SPACE), penalty), 1e-6);
      assertEquals(1, MllibExtension.counts().trainings());
      List<String> warnings = warnings(log);
      assertEquals(1, warnings.size(), warnings::toString);
      assertTrue(warnings.get(0).contains("for the rest of the application"), warnings::toString);
    }
  }

  @Test
  void loopsWithWhatIsNotKnown() throws ReflectiveOperationException {
    try (JavaSparkContext context = new JavaSparkContext(conf());
        LogLines log = new LogLines("org.sparkcollectives.ml")) {
      L2Regularization mllibs = new L2Regularization(0.1, new All(), Option.empty());
      Class<? extends L2Regularization> other = // which javac cannot make of a class in Scala
          new ByteBuddy()
              .subclass(L2Regularization.class)
              .make()
              .load(LeftToSparkIT.class.getClassLoader())
              .getLoaded();
      L2Regularization ofAUser =
          (L2Regularization) other.getConstructors()[0].newInstance(0.1, new All(), Option.empty());
      for (int i = 0; i < 2; i++) {
        double expected = optimised(context, new LBFGS<>(9, 4, 1e-9, SPACE), mllibs);
        double[] actual = {
          optimised(context, new LBFGS<>(9, 4, 1e-9, SPACE), ofAUser),
          optimised(context, new LBFGS<>(atMost(9), 4, SPACE), mllibs)
        };
        assertArrayEquals(new double[] {expected, expected}, actual, 1e-6);
        assertEquals(i + 1, MllibExtension.counts().trainings());
        descended(context);
      }
      List<String> warnings = warnings(log);
      for (String what :
          List.of(
              "the regularization " + other.getName(),
              "the optimiser " + LBFGS.class.getName(),
              "the gradient " + Half.class.getName())) {
        String line = "the library does not know " + what;
        assertEquals(
            1, warnings.stream().filter(each -> each.contains(line)).count(), warnings::toString);
      }
      assertEquals(3, warnings.size(), warnings::toString);
    }
  }

  private static ConvergenceCheck<DenseVector<Object>> atMost(int iterations) {
    return FirstOrderMinimizer.maxIterationsReached(iterations);
  }

  /** The least value that is found of the hinge loss with a penalty. */
  private static double optimised(
      JavaSparkContext context,
      LBFGS<DenseVector<Object>> minimizer,
      DifferentiableRegularization<Vector> penalty) {
    return optimised(context, minimizer, penalty, new Aggregators(null));
  }

  private static double optimised(
      JavaSparkContext context,
      LBFGS<DenseVector<Object>> minimizer,
      DifferentiableRegularization<Vector> penalty,
      Aggregators aggregators) {
    RDD<InstanceBlock> blocks =
        context
            .parallelize(IntStream.range(0, ROWS).boxed().toList(), 2)
            .map(
                i ->
                    InstanceBlock$.MODULE$.fromInstances(
                        CollectionConverters.asScala(
                                List.of(new Instance(label(i), 1, Vectors.dense(features(i)))))
                            .toSeq()))
            .rdd();
    RDDLossFunction<InstanceBlock, BinaryLogisticBlockAggregator> loss =
        new RDDLossFunction<>(
            blocks,
            aggregators,
            Option.apply(penalty),
            2,
            ClassTag$.MODULE$.apply(InstanceBlock.class),
            ClassTag$.MODULE$.apply(BinaryLogisticBlockAggregator.class));
    var states = minimizer.iterations(loss, DenseVectors.over(new double[FEATURES]));
    double value = Double.NaN;
    while (states.hasNext()) {
      value = states.next().adjustedValue();
    }
    return value;
  }

  private static void descended(JavaSparkContext context) {
    RDD<Tuple2<Object, org.apache.spark.mllib.linalg.Vector>> rows =
        context
            .parallelize(IntStream.range(0, ROWS).boxed().toList(), 2)
            .<Tuple2<Object, org.apache.spark.mllib.linalg.Vector>>map(
                i ->
                    new Tuple2<>(
                        label(i), org.apache.spark.mllib.linalg.Vectors.dense(features(i))))
            .rdd();
    var found =
        GradientDescent.runMiniBatchSGD(
            rows,
            new Half(),
            new SimpleUpdater(),
            0.1,
            3,
            0,
            1,
            org.apache.spark.mllib.linalg.Vectors.zeros(FEATURES),
            0);
    assertEquals(3 + 1, found._2().length);
  }

  /** A user's gradient, which might remember rows. */
  private static final class Half extends LeastSquaresGradient {
    @Serial private static final long serialVersionUID = 1L;
  }

  /** For every index. */
  private static final class All extends AbstractFunction1<Object, Object> implements Serializable {
    @Serial private static final long serialVersionUID = 1L;

    @Override
    public Object apply(Object index) {
      return true;
    }
  }

  /** Aggregators over rows as they are, which MLlib makes at the driver and ranks in tasks. */
  private static final class Aggregators
      extends AbstractFunction1<Broadcast<Vector>, BinaryLogisticBlockAggregator>
      implements Serializable {
    @Serial private static final long serialVersionUID = 1L;

    private final @Nullable Throwable ofRanks;

    Aggregators(@Nullable Throwable ofRanks) {
      this.ofRanks = ofRanks;
    }

    @Override
    public BinaryLogisticBlockAggregator apply(Broadcast<Vector> coefficients) {
      if (TaskContext.get() != null && ofRanks instanceof RuntimeException thrown) {
        throw thrown;
      } else if (TaskContext.get() != null && ofRanks instanceof Error thrown) {
        throw thrown;
      }
      HereBroadcast<double[]> zeros = new HereBroadcast<>(new double[FEATURES]);
      return new BinaryLogisticBlockAggregator(zeros, zeros, false, false, coefficients);
    }
  }
}
