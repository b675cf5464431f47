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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
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
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.ml.internal.bridge.DenseVectors;
import org.sparkcollectives.ml.internal.minimizer.Optimizer;
import org.sparkcollectives.ml.internal.objective.Penalty;
import org.sparkcollectives.ml.internal.rows.RowKind;
import org.sparkcollectives.ml.internal.state.KeptParts;
import org.sparkcollectives.spark.internal.ui.Publisher;
import org.sparkcollectives.testing.Await;
import org.sparkcollectives.testing.ExecutorPlaces;
import org.sparkcollectives.testing.SharedCluster;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/** Trainings that lose an executor, whose ranks disagree, or that are cancelled. */
@Timeout(1200)
class TrainingIT {
  private static final int EXECUTORS = 3;
  private static final int FEATURES = 20;

  /** Of so many, where an estimator leaves out those that no row has. */
  private static final int ALL = 20_000;

  private static final int PARTITIONS = 4;

  /** From which evaluation on all ranks have kept a state. */
  private static final int SURELY_KEPT = 8;

  /** About as long as two evaluations take. */
  private static final long LATEST_NANOS = TimeUnit.MILLISECONDS.toNanos(8);

  private static final Logger LOG = LoggerFactory.getLogger(TrainingIT.class);
  private static final Pattern PROGRESS =
      Pattern.compile("LBFGS: iteration \\d+ of at most \\d+, objective \\S+");

  private static JavaSparkContext context;
  private static JavaRDD<Instance> rows;

  /** The same with features that no row has. */
  private static JavaRDD<Instance> hashed;

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
    for (int p = 0; p < PARTITIONS; p++) {
      List<Instance> rows = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        double[] x = random.doubles(FEATURES, -1, 1).toArray();
        double y = Arrays.stream(x).limit(5).sum() + random.nextGaussian();
        rows.add(new Instance(y > 0 ? 1 : 0, 1, Vectors.dense(x)));
      }
      dealt.add(rows);
    }
    rows = context.parallelize(dealt, PARTITIONS).flatMap(List::iterator);
    hashed = rows.map(TrainingIT::amongAll);
    blocks = context.parallelize(dealt, PARTITIONS).map(TrainingIT::block).cache();
    double[] all = new double[FEATURES];
    Arrays.fill(all, 1);
    ones = context.broadcast(all);
    zeros = context.broadcast(new double[FEATURES]);
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  /** The application's. */
  static JavaSparkContext context() {
    return context;
  }

  /** An executor that was lost comes back. */
  @BeforeEach
  void awaitAllExecutors() throws InterruptedException {
    awaitExecutors();
  }

  static void awaitExecutors() throws InterruptedException {
    ExecutorPlaces.awaitAll(context, EXECUTORS);
  }

  /** Here, since executors take longer to start than to train. */
  @Nested
  class OfOtherLoops extends AttemptsCases {}

  @Test
  void anExecutorThatIsLostCostsNoIterationsAndNoBits(@TempDir Path folder)
      throws InterruptedException {
    survive(Placing.WHOLE, List.of(Minimizer.values()), folder);
  }

  @Test
  void norWhereEachRankHasAPartOfEachVector(@TempDir Path folder) throws InterruptedException {
    survive(Placing.DIVIDED, List.of(Minimizer.LBFGS, Minimizer.OWLQN), folder);
  }

  /**
   * Trains by each optimiser in turn, as often as {@code -Dtraining.kills} says, at least once, and
   * ends a rank's executor at a random moment between two evaluations: while rows are gone through,
   * in a collective, or in what the optimiser does.
   */
  private void survive(Placing placing, List<Minimizer> minimizers, Path folder)
      throws InterruptedException {
    long seed = Long.getLong("test.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    int kills = Integer.getInteger("training.kills", minimizers.size());
    Map<Minimizer, Trained> undisturbed = new EnumMap<>(Minimizer.class);
    int resumed = 0;
    for (int i = 0; i < kills; i++) {
      Minimizer minimizer = minimizers.get(i % minimizers.size());
      awaitExecutors();
      Trained expected = undisturbed.get(minimizer);
      if (expected == null) {
        expected = train(minimizer, placing, Halt.NONE, Option.empty());
        assertEquals(0, expected.resumedAt);
        undisturbed.put(minimizer, expected);
      }
      // The first of each optimiser comes when there is a state for sure.
      int least = i < minimizers.size() ? SURELY_KEPT : 1;
      int evaluation = least + random.nextInt(expected.evaluations - 1 - least);
      Halt halt =
          new Halt(
              folder.resolve(minimizer + " " + i).toString(),
              random.nextInt(PARTITIONS),
              evaluation,
              random.nextLong(LATEST_NANOS));
      String what =
          "%s, kill %d, rank %d in evaluation %d of %d; -Dtest.seed=%d"
              .formatted(minimizer, i, halt.rank, evaluation, expected.evaluations, seed);
      LOG.info("{}", what);
      Trained actual = train(minimizer, placing, halt, Option.empty());
      LOG.info("{}: resumed at iteration {}", what, actual.resumedAt);
      assertTrue(new File(halt.marker).exists(), what);
      assertTrue(actual.resumedAt > 0 || evaluation < SURELY_KEPT, what);
      assertArrayEquals(expected.x, actual.x, what);
      assertArrayEquals(expected.objective, actual.objective, what);
      assertEquals(expected.reason, actual.reason, what);
      resumed += actual.resumedAt > 0 ? 1 : 0;
    }
    LOG.info("{}: {} of {} trainings went on from a state that was kept", placing, resumed, kills);
  }

  /** The first state is kept after an iteration, and again when training has gone on for long. */
  @Test
  void aLaterCopyOfEachPartTakesThePlaceOfTheFirst(@TempDir Path folder) {
    Trained expected = train(Minimizer.OWLQN, Placing.DIVIDED, Halt.NONE, Option.empty());
    Halt halt = new HaltLater(folder.resolve("halted").toString(), PARTITIONS - 1);
    Trained actual = train(Minimizer.OWLQN, Placing.DIVIDED, halt, Option.empty());
    assertTrue(new File(halt.marker).exists(), "halted");
    assertTrue(actual.resumedAt > 1, "resumed at " + actual.resumedAt);
    assertArrayEquals(expected.x, actual.x);
    assertArrayEquals(expected.objective, actual.objective);
  }

  @Test
  void ranksThatDoNotComputeTheSameBitsAreNamed() {
    L2Regularization notTheSame = new L2Regularization(0.1, new OnSomeRanks(), Option.empty());
    RankFailedException error =
        assertThrows(
            RankFailedException.class,
            () -> train(Minimizer.LBFGS, Placing.AUTO, Halt.NONE, Option.apply(notTheSame)));
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
              context.setJobGroup("endless", "a training", true);
              Halt never = new Halt(started.toString(), 0, 6, TimeUnit.HOURS.toNanos(1));
              return train(Minimizer.LBFGS, Placing.AUTO, never, Option.empty());
            });
    Await.until("the start", () -> started.exists() || training.isDone());
    assertTrue(started.exists(), () -> "it has ended before: " + training);
    Await.until(
        "its progress at the driver",
        () ->
            Publisher.of(context.sc()).running().stream()
                .anyMatch(
                    call ->
                        call.callSite.startsWith("training")
                            && PROGRESS.matcher(call.progress()).matches()));
    context.cancelJobGroup("endless");
    ExecutionException thrown =
        assertThrows(ExecutionException.class, () -> training.get(60, TimeUnit.SECONDS));
    String cause = String.valueOf(root(thrown).getMessage());
    assertTrue(cause.contains("cancelled"), cause);
  }

  private static Throwable root(Throwable thrown) {
    return thrown.getCause() == null ? thrown : root(thrown.getCause());
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // MLlib's regularisations are of vectors
  private static Trained train(
      Minimizer minimizer, Placing placing, Halt halt, Option<L2Regularization> penalty) {
    String name = TrainingProgress.unique(minimizer.toString());
    Aggregators aggregators = new Aggregators(name, ones, zeros, halt);
    if (minimizer == Minimizer.LBFGS && penalty.isEmpty()) { // as an estimator does, from rows on
      Recipe recipe =
          summary ->
              new MinimizationProblem<>(
                  aggregators,
                  Option.empty(),
                  (FirstOrderMinimizer<DenseVector<Object>, DiffFunction<DenseVector<Object>>>)
                      minimizer.make(),
                  new double[FEATURES + 1],
                  1);
      EstimatorProgram program =
          new EstimatorProgram(name, recipe, RowKind.CLASSES, true, 1 << 20, null, placing);
      boolean few = placing == Placing.DIVIDED;
      Trained trained =
          Training.fitted((few ? hashed : rows).rdd(), program).orElseThrow().trained();
      assertEquals((few ? ALL : FEATURES) + 1, trained.length);
      assertEquals(FEATURES + 1, trained.moved);
      return trained;
    }
    RankProgram<InstanceBlock> program =
        RankProgram.ofMllib(
            name,
            aggregators,
            Penalty.of((Option<DifferentiableRegularization<Vector>>) (Option) penalty).get(),
            Optimizer.of(minimizer.make()).get(),
            Vectors.dense(new double[FEATURES + 1]),
            null,
            placing);
    return Training.joined(blocks.rdd(), program);
  }

  /** The same row, its features far from each other. */
  private static Instance amongAll(Instance row) {
    int[] places = IntStream.range(0, FEATURES).map(j -> j * (ALL / FEATURES) + j).toArray();
    Vector features = Vectors.sparse(ALL, places, row.features().toArray());
    return new Instance(row.label(), row.weight(), features);
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

  /** When a rank's executor is ended, once. */
  private static class Halt implements Serializable {
    @Serial private static final long serialVersionUID = 1L;
    static final Halt NONE = new Halt("", -1, 0, 0);

    /** The file that is there when it is about to be; empty for never. */
    final String marker;

    final int rank;
    final int evaluation;
    final long nanosLater;
    private transient boolean armed;

    Halt(String marker, int rank, int evaluation, long nanosLater) {
      this.marker = marker;
      this.rank = rank;
      this.evaluation = evaluation;
      this.nanosLater = nanosLater;
    }

    /**
     * In an evaluation of this rank.
     *
     * @param number which one it is
     * @param kept the newest iteration of which the executor has a part; -1 for none
     */
    void in(int number, int kept) {
      if (TaskContext.getPartitionId() != rank) {
        return;
      }
      try {
        if (number == evaluation && new File(marker).createNewFile()) {
          Thread end = new Thread(this::end, "end");
          end.setDaemon(true);
          end.start();
          armed = true;
        }
        if (armed && number == evaluation + 2) { // so it does not come too late
          Thread.sleep(TimeUnit.MINUTES.toMillis(5));
        }
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private void end() {
      long moment = System.nanoTime() + nanosLater;
      for (long left = nanosLater; left > 0; left = moment - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      Runtime.getRuntime().halt(1);
    }
  }

  /** Ends it when all ranks have kept another state than the first, for which it has them wait. */
  private static final class HaltLater extends Halt {
    @Serial private static final long serialVersionUID = 1L;
    private transient int evaluationsLater;

    HaltLater(String marker, int rank) {
      super(marker, rank, 0, 0);
    }

    @Override
    void in(int number, int kept) {
      if (TaskContext.getPartitionId() != rank || new File(marker).exists()) {
        return;
      }
      try {
        if (kept == 1) {
          TimeUnit.SECONDS.sleep(1);
        } else if (kept > 1 && ++evaluationsLater == 2 && new File(marker).createNewFile()) {
          Runtime.getRuntime().halt(1);
        }
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Aggregators whose evaluations are counted. */
  private static final class Aggregators
      extends AbstractFunction1<Broadcast<Vector>, BinaryLogisticBlockAggregator>
      implements Serializable {
    @Serial private static final long serialVersionUID = 1L;
    private final String training;
    private final Broadcast<double[]> ones;
    private final Broadcast<double[]> zeros;
    private final Halt halt;
    private final AtomicInteger evaluations = new AtomicInteger();

    Aggregators(String training, Broadcast<double[]> ones, Broadcast<double[]> zeros, Halt halt) {
      this.training = training;
      this.ones = ones;
      this.zeros = zeros;
      this.halt = halt;
    }

    @Override
    public BinaryLogisticBlockAggregator apply(Broadcast<Vector> coefficients) {
      halt.in(evaluations.incrementAndGet(), KeptParts.newest(training));
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
