package org.sparkcollectives.ml.internal.training;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import breeze.linalg.DenseVector;
import breeze.optimize.DiffFunction;
import breeze.optimize.FirstOrderMinimizer;
import breeze.optimize.LBFGS;
import breeze.optimize.LBFGSB;
import breeze.optimize.OWLQN;
import java.io.File;
import java.io.IOException;
import java.io.Serial;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.ml.feature.InstanceBlock$;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.aggregator.BinaryLogisticBlockAggregator;
import org.apache.spark.ml.optim.loss.DifferentiableRegularization;
import org.apache.spark.ml.optim.loss.L2Regularization;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.testing.ExecutorPlaces;
import org.sparkcollectives.testing.SharedCluster;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/** Trainings that lose an executor, whose ranks disagree, or that are cancelled. */
@Timeout(240)
class TrainingIT {
  private static final int EXECUTORS = 3;
  private static final int FEATURES = 20;

  private static JavaSparkContext context;
  private static JavaRDD<Instance> rows;
  private static JavaRDD<InstanceBlock> blocks;
  private static Broadcast<double[]> ones;
  private static Broadcast<double[]> zeros;

  @BeforeAll
  static void start() {
    // With one executor more than needed: the ranks are as many when one is lost.
    context =
        new JavaSparkContext(
            SharedCluster.get()
                .conf("training", EXECUTORS, 2, "512m")
                .set("spark.collectives.reproducible", "true")); // wherever the ranks are
    Random random = new Random(3);
    List<List<Instance>> dealt = new ArrayList<>();
    for (int p = 0; p < 4; p++) {
      List<Instance> rows = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        double[] x = random.doubles(FEATURES, -1, 1).toArray();
        double y = Arrays.stream(x).limit(5).sum() + random.nextGaussian();
        rows.add(new Instance(y > 0 ? 1 : 0, 1, Vectors.dense(x)));
      }
      dealt.add(rows);
    }
    rows = context.parallelize(dealt, 4).flatMap(List::iterator);
    blocks = context.parallelize(dealt, 4).map(TrainingIT::block).cache();
    double[] all = new double[FEATURES];
    Arrays.fill(all, 1);
    ones = context.broadcast(all);
    zeros = context.broadcast(new double[FEATURES]);
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  /** An executor that was lost comes back. */
  @BeforeEach
  void awaitExecutors() throws InterruptedException {
    ExecutorPlaces.awaitAll(context, EXECUTORS);
  }

  @Test
  void anExecutorThatIsLostCostsNoIterationsAndNoBits(@TempDir Path folder)
      throws InterruptedException {
    var random = new Random();
    int evaluations = 8 + random.nextInt(2);
    for (Minimizer minimizer : Minimizer.values()) {
      awaitExecutors();
      survives(minimizer, Placing.WHOLE, evaluations, folder);
    }
  }

  @Test
  void norWhereEachRankHasAPartOfEachVector(@TempDir Path folder) throws InterruptedException {
    int evaluations = 8 + new Random().nextInt(2);
    for (Minimizer minimizer : List.of(Minimizer.LBFGS, Minimizer.OWLQN)) {
      awaitExecutors();
      survives(minimizer, Placing.DIVIDED, evaluations, folder);
    }
  }

  private static void survives(Minimizer minimizer, Placing placing, int evaluations, Path folder) {
    Trained expected = train(minimizer, placing, Disturbance.NONE, "", 0, Option.empty());
    assertEquals(0, expected.resumedAt);
    assertTrue(expected.evaluations > evaluations, "evaluations: " + expected.evaluations);
    String marker = folder.resolve(minimizer.name()).toString();
    Trained actual =
        train(minimizer, placing, Disturbance.HALT, marker, evaluations, Option.empty());
    String what = minimizer + " halted in evaluation " + evaluations;
    assertTrue(new File(marker).exists(), what);
    assertTrue(actual.resumedAt > 0, what + ", resumed at " + actual.resumedAt);
    assertArrayEquals(expected.x, actual.x, what);
    assertArrayEquals(expected.objective, actual.objective, what);
    assertEquals(expected.reason, actual.reason, what);
  }

  @Test
  void ranksThatDoNotComputeTheSameBitsAreNamed() {
    L2Regularization notTheSame = new L2Regularization(0.1, new OnSomeRanks(), Option.empty());
    RankFailedException error =
        assertThrows(
            RankFailedException.class,
            () ->
                train(
                    Minimizer.LBFGS,
                    Placing.AUTO,
                    Disturbance.NONE,
                    "",
                    0,
                    Option.apply(notTheSame)));
    assertTrue(
        String.valueOf(error.getCause())
            .contains("ranks [2] are at other coefficients than rank 0 in evaluation 3"),
        () -> String.valueOf(error.getCause()));
  }

  @Test
  void aTrainingCanBeCancelled(@TempDir Path folder) throws Exception {
    File started = folder.resolve("started").toFile();
    CompletableFuture<Trained> training =
        CompletableFuture.supplyAsync(
            () -> {
              context.setJobGroup("cancelled", "a training", true);
              return train(
                  Minimizer.LBFGS,
                  Placing.AUTO,
                  Disturbance.SLEEP,
                  started.toString(),
                  0,
                  Option.empty());
            });
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!started.exists()) {
      assertTrue(System.nanoTime() < deadline && !training.isDone(), "not started");
      Thread.sleep(20);
    }
    context.cancelJobGroup("cancelled");
    assertThrows(ExecutionException.class, () -> training.get(60, TimeUnit.SECONDS));
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // MLlib's regularisations are of vectors
  private static Trained train(
      Minimizer minimizer,
      Placing placing,
      Disturbance disturbance,
      String marker,
      int evaluation,
      Option<L2Regularization> penalty) {
    Aggregators aggregators = new Aggregators(ones, zeros, disturbance, marker, evaluation);
    if (minimizer == Minimizer.LBFGS && penalty.isEmpty()) { // as an estimator does, from rows on
      Recipe recipe =
          summary ->
              new Problem<>(
                  aggregators,
                  Option.empty(),
                  (FirstOrderMinimizer<DenseVector<Object>, DiffFunction<DenseVector<Object>>>)
                      minimizer.make(),
                  new double[FEATURES + 1]);
      String name = "estimator " + System.nanoTime();
      EstimatorProgram program =
          new EstimatorProgram(name, recipe, RowKind.CLASSES, 1 << 20, null, placing);
      return JavaCollectives.of(rows).collectively(program).collect().get(0).trained();
    }
    RankProgram<InstanceBlock> program =
        RankProgram.ofMllib(
            "training " + System.nanoTime(),
            aggregators,
            Penalty.of((Option<DifferentiableRegularization<Vector>>) (Option) penalty).get(),
            Optimizer.of(minimizer.make()).get(),
            Vectors.dense(new double[FEATURES + 1]),
            null,
            placing);
    return JavaCollectives.of(blocks).collectively(program).collect().get(0);
  }

  private static InstanceBlock block(List<Instance> rows) {
    Seq<Instance> all = CollectionConverters.asScala(rows).toSeq();
    return InstanceBlock$.MODULE$.fromInstances(all);
  }

  /** Breeze's optimisers as MLlib makes them. */
  private enum Minimizer {
    LBFGS,
    OWLQN,
    LBFGSB;

    FirstOrderMinimizer<?, ?> make() {
      return switch (this) {
        case LBFGS -> new LBFGS<DenseVector<Object>>(15, 10, 1e-12, DenseVector.space_Double());
        case OWLQN ->
            new OWLQN<Object, DenseVector<Object>>(
                15, 10, new Little(), 1e-12, DenseVector.space_Double());
        case LBFGSB -> new LBFGSB(bound(-0.4), bound(0.4), 15, 10, 1e-12, 64, 64);
      };
    }

    private static DenseVector<Object> bound(double value) {
      double[] all = new double[FEATURES + 1];
      Arrays.fill(all, value);
      return DenseVectors.over(all);
    }
  }

  private enum Disturbance {
    NONE,
    HALT,
    SLEEP
  }

  /** Aggregators that do something in an evaluation of rank 1, once. */
  private static final class Aggregators
      extends AbstractFunction1<Broadcast<Vector>, BinaryLogisticBlockAggregator>
      implements Serializable {
    @Serial private static final long serialVersionUID = 1L;
    private final Broadcast<double[]> ones;
    private final Broadcast<double[]> zeros;
    private final Disturbance disturbance;
    private final String marker;
    private final int evaluation;
    private final AtomicInteger evaluations = new AtomicInteger();

    Aggregators(
        Broadcast<double[]> ones,
        Broadcast<double[]> zeros,
        Disturbance disturbance,
        String marker,
        int evaluation) {
      this.ones = ones;
      this.zeros = zeros;
      this.disturbance = disturbance;
      this.marker = marker;
      this.evaluation = evaluation;
    }

    @Override
    public BinaryLogisticBlockAggregator apply(Broadcast<Vector> coefficients) {
      try {
        int now = evaluations.incrementAndGet();
        if (disturbance == Disturbance.HALT
            && now == evaluation
            && TaskContext.getPartitionId() == 1
            && new File(marker).createNewFile()) {
          Runtime.getRuntime().halt(1);
        }
        if (disturbance == Disturbance.SLEEP && now == 3) {
          new File(marker).createNewFile();
          Thread.sleep(TimeUnit.MINUTES.toMillis(5));
        }
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return new BinaryLogisticBlockAggregator(ones, zeros, true, false, coefficients);
    }
  }

  /** Which coefficients are penalised, not the same on rank 2. */
  private static final class OnSomeRanks extends AbstractFunction1<Object, Object>
      implements Serializable {
    @Serial private static final long serialVersionUID = 1L;

    @Override
    public Object apply(Object index) {
      return TaskContext.getPartitionId() != 2 || (int) index > 3;
    }
  }

  /** A penalty on each coefficient's absolute value. */
  private static final class Little extends AbstractFunction1<Object, Object>
      implements Serializable {
    @Serial private static final long serialVersionUID = 1L;

    @Override
    public Object apply(Object index) {
      return 0.002;
    }
  }
}
