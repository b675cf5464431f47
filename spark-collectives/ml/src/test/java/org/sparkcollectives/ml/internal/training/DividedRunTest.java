package org.sparkcollectives.ml.internal.training;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import breeze.linalg.DenseVector;
import breeze.optimize.FirstOrderMinimizer;
import breeze.optimize.LBFGS;
import breeze.optimize.OWLQN;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.ml.feature.InstanceBlock$;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.aggregator.BinaryLogisticBlockAggregator;
import org.apache.spark.ml.optim.aggregator.MultinomialLogisticBlockAggregator;
import org.apache.spark.ml.optim.loss.DifferentiableRegularization;
import org.apache.spark.ml.optim.loss.L2Regularization;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.ml.internal.bridge.HereBroadcast;
import org.sparkcollectives.ml.internal.minimizer.Optimizer;
import org.sparkcollectives.ml.internal.objective.MllibObjective;
import org.sparkcollectives.ml.internal.objective.ObjectiveOf;
import org.sparkcollectives.ml.internal.objective.OwnObjective;
import org.sparkcollectives.ml.internal.objective.Penalty;
import org.sparkcollectives.ml.internal.state.KeptParts;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/** Trainings with divided vectors take the steps of Breeze's optimisers. */
@Timeout(120)
@Tag("cross-version")
class DividedRunTest {
  private static final CommunicatorOptions OPTIONS =
      CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(30));
  private static final int PARTITIONS = 4;
  private static final AtomicLong NAMES = new AtomicLong();

  @Test
  void sparseBinaryTakesTheStepsOfBreeze() {
    int features = 300;
    List<InstanceBlock> blocks = sparse(features);
    double[] ones = new double[features];
    Arrays.fill(ones, 1);
    HereBroadcast<double[]> scales = new HereBroadcast<>(ones);
    HereBroadcast<double[]> means = new HereBroadcast<>(new double[features]);
    ObjectiveOf<InstanceBlock> objective =
        (communicator, rows) ->
            new MllibObjective<InstanceBlock, BinaryLogisticBlockAggregator>(
                communicator,
                rows,
                x -> new BinaryLogisticBlockAggregator(scales, means, true, false, x),
                penalty(1e-3, features));
    for (FirstOrderMinimizer<?, ?> minimizer : minimizers(40, 1e-6, 1e-3)) {
      same(objective, blocks, minimizer, features + 1);
    }
  }

  @Test
  void denseMultinomialTakesTheStepsOfBreeze() {
    int features = 16;
    int classes = 5;
    List<InstanceBlock> blocks = dense(features, classes);
    HereBroadcast<double[]> scales = new HereBroadcast<>(new double[features]);
    ObjectiveOf<InstanceBlock> objective =
        (communicator, rows) ->
            new MllibObjective<InstanceBlock, MultinomialLogisticBlockAggregator>(
                communicator,
                rows,
                x -> new MultinomialLogisticBlockAggregator(scales, scales, true, false, x),
                penalty(1e-2, features * classes));
    for (FirstOrderMinimizer<?, ?> minimizer : minimizers(40, 1e-8, 1e-3)) {
      same(objective, blocks, minimizer, (features + 1) * classes);
    }
  }

  @Test
  void ofFewerCoefficientsThanRanksToo() {
    ObjectiveOf<InstanceBlock> objective =
        (communicator, rows) -> new OwnObjective<>(communicator, rows, DividedRunTest::valley, 0.1);
    List<InstanceBlock> blocks = dense(2, 2);
    for (FirstOrderMinimizer<?, ?> minimizer : minimizers(60, 1e-10, 1e-2)) {
      same(objective, blocks, minimizer, 2);
      same(objective, blocks, minimizer, 3);
    }
  }

  @Test
  void endsAsBreezeDoesWhereNoStepHelps() {
    // A gradient that points up: each search fails, with the curvature and without.
    ObjectiveOf<InstanceBlock> objective =
        (communicator, rows) ->
            new OwnObjective<>(
                communicator,
                rows,
                (x, own, gradient) -> {
                  gradient[0] = -2 * x[0];
                  return own.isEmpty() ? 0 : x[0] * x[0];
                },
                0);
    List<InstanceBlock> blocks = dense(2, 2);
    for (FirstOrderMinimizer<?, ?> minimizer : minimizers(20, 1e-6, 0)) {
      Trained whole = trained(objective, blocks, minimizer, new double[] {1, 1}, Placing.WHOLE, 2);
      Trained divided =
          trained(objective, blocks, minimizer, new double[] {1, 1}, Placing.DIVIDED, 2);
      assertEquals("line search failed!", whole.reason);
      assertEquals(whole.reason, divided.reason);
      assertArrayEquals(whole.objective, divided.objective);
      assertArrayEquals(whole.x, divided.x);
    }
  }

  @Test
  void aRunGoesOnFromPartsOfMoreOrFewerRanks() throws Exception {
    ObjectiveOf<InstanceBlock> objective =
        (communicator, rows) -> new OwnObjective<>(communicator, rows, DividedRunTest::valley, 0.1);
    List<InstanceBlock> blocks = dense(2, 2);
    FirstOrderMinimizer<?, ?> minimizer = minimizers(60, 1e-10, 1e-2).get(0);
    double[] start = {-1.2, 1, -1.2, 1, 0.7};
    Trained expected = trained(objective, blocks, minimizer, start, Placing.DIVIDED, 3);
    for (int later : new int[] {1, 2, 3, 4}) {
      String name = "resumed " + NAMES.incrementAndGet();
      int[] evaluations = new int[PARTITIONS];
      ObjectiveOf<InstanceBlock> failing =
          (communicator, rows) ->
              new OwnObjective<>(
                  communicator,
                  rows,
                  (x, own, gradient) -> {
                    if (communicator.rank() == 1 && ++evaluations[1] == 12) {
                      throw new ArithmeticException("lost");
                    }
                    return valley(x, own, gradient);
                  },
                  0.1);
      try {
        run(name, failing, blocks, minimizer, start, Placing.DIVIDED, 3);
      } catch (RuntimeException e) {
        assertTrue(String.valueOf(e.getCause()).contains("lost"), e::toString);
      }
      assertTrue(KeptParts.newest(name) > 0, "kept");
      Trained resumed = run(name, objective, blocks, minimizer, start, Placing.AUTO, later);
      assertTrue(resumed.resumedAt > 0, "resumed");
      assertEquals(-1, KeptParts.newest(name), "forgotten");
      assertEquals(expected.objective.length, resumed.objective.length);
      if (later == 3) {
        assertArrayEquals(expected.objective, resumed.objective);
        assertArrayEquals(expected.x, resumed.x);
      } else {
        near(expected.x, resumed.x, 1e-8);
      }
    }
  }

  private static void same(
      ObjectiveOf<InstanceBlock> objective,
      List<InstanceBlock> blocks,
      FirstOrderMinimizer<?, ?> minimizer,
      int length) {
    double[] start = new Random(3).doubles(length, -0.1, 0.1).toArray();
    for (int ranks : new int[] {1, 3, 4}) { // Breeze's OWL-QN may differ by itself where sums do
      Trained expected = trained(objective, blocks, minimizer, start, Placing.WHOLE, ranks);
      assertTrue(expected.objective.length > 5, "iterations: " + expected.objective.length);
      String what = minimizer.getClass().getSimpleName() + " of " + length + " on " + ranks;
      Trained actual = trained(objective, blocks, minimizer, start, Placing.DIVIDED, ranks);
      assertEquals(expected.objective.length, actual.objective.length, what);
      assertEquals(expected.evaluations, actual.evaluations, what);
      assertEquals(expected.reason, actual.reason, what);
      clocked(expected, what);
      clocked(actual, what);
      near(expected.objective, actual.objective, 1e-10);
      near(expected.x, actual.x, 1e-8);
    }
  }

  /** Of all that a training took, what came after its first state is that of its iterations. */
  private static void clocked(Trained trained, String what) {
    Taken taken = trained.iterations;
    assertEquals(trained.evaluations - 1, taken.evaluations(), what);
    assertTrue(taken.nanos() >= taken.computing() + taken.communicating(), what);
    assertTrue(taken.computing() < trained.computing, what);
    assertTrue(taken.communicating() < trained.communicating, what);
  }

  private static Trained trained(
      ObjectiveOf<InstanceBlock> objective,
      List<InstanceBlock> blocks,
      FirstOrderMinimizer<?, ?> minimizer,
      double[] start,
      Placing placing,
      int ranks) {
    String name = "divided " + NAMES.incrementAndGet();
    return run(name, objective, blocks, minimizer, start, placing, ranks);
  }

  private static Trained run(
      String name,
      ObjectiveOf<InstanceBlock> objective,
      List<InstanceBlock> blocks,
      FirstOrderMinimizer<?, ?> minimizer,
      double[] start,
      Placing placing,
      int ranks) {
    RankProgram<InstanceBlock> program =
        new RankProgram<>(
            name,
            objective,
            Optimizer.of(minimizer).orElseThrow(),
            Vectors.dense(start),
            null,
            placing);
    List<Trained> found =
        Group.<@Nullable Trained>threads(
                ranks, OPTIONS, communicator -> result(program, communicator, blocks))
            .stream()
            .filter(Objects::nonNull)
            .toList();
    assertEquals(found.get(0).part ? ranks : 1, found.size(), "ranks that return something");
    return found
        .get(0)
        .withAll(found.stream().flatMapToDouble(trained -> Arrays.stream(trained.x)).toArray());
  }

  private static @Nullable Trained result(
      RankProgram<InstanceBlock> program, Communicator communicator, List<InstanceBlock> blocks)
      throws Exception {
    List<InstanceBlock> own = new ArrayList<>();
    for (int i = communicator.rank(); i < blocks.size(); i += communicator.size()) {
      own.add(blocks.get(i));
    }
    Iterator<Trained> results = program.call(communicator, own.iterator());
    return results.hasNext() ? results.next() : null;
  }

  private static List<FirstOrderMinimizer<?, ?>> minimizers(
      int iterations, double tolerance, double l1) {
    return List.of(
        new LBFGS<DenseVector<Object>>(iterations, 10, tolerance, DenseVector.space_Double()),
        new LBFGS<DenseVector<Object>>(iterations, 3, tolerance, DenseVector.space_Double()),
        new OWLQN<Object, DenseVector<Object>>(
            iterations, 10, new Some(l1), tolerance, DenseVector.space_Double()),
        new OWLQN<Object, DenseVector<Object>>(
            iterations, 10, new Some(0), tolerance, DenseVector.space_Double()));
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // MLlib's regularisations are of vectors
  private static Penalty penalty(double strength, int size) {
    Option<L2Regularization> l2 =
        Option.apply(new L2Regularization(strength, new Below(size), Option.empty()));
    return Penalty.of((Option<DifferentiableRegularization<Vector>>) (Option) l2).orElseThrow();
  }

  private static List<InstanceBlock> sparse(int features) {
    Random random = new Random(11);
    double[] truth = random.doubles(features, -1, 1).toArray();
    List<InstanceBlock> blocks = new ArrayList<>();
    for (int p = 0; p < PARTITIONS; p++) {
      List<Instance> rows = new ArrayList<>();
      for (int i = 0; i < 250; i++) {
        TreeSet<Integer> chosen = new TreeSet<>();
        while (chosen.size() < 12) {
          chosen.add((int) (features * Math.pow(random.nextDouble(), 3)));
        }
        int[] indices = chosen.stream().mapToInt(Integer::intValue).toArray();
        double margin = Arrays.stream(indices).mapToDouble(index -> truth[index]).sum();
        double[] values = new double[indices.length];
        Arrays.fill(values, 1);
        double label = random.nextDouble() < 1 / (1 + Math.exp(-margin)) ? 1 : 0;
        rows.add(new Instance(label, 1, Vectors.sparse(features, indices, values)));
      }
      blocks.add(block(rows));
    }
    return blocks;
  }

  /** Like the digits: each class is a noisy picture. */
  private static List<InstanceBlock> dense(int features, int classes) {
    Random random = new Random(12);
    double[][] pictures = new double[classes][];
    for (int c = 0; c < classes; c++) {
      pictures[c] = random.doubles(features, 0, 1).toArray();
    }
    List<InstanceBlock> blocks = new ArrayList<>();
    for (int p = 0; p < PARTITIONS; p++) {
      List<Instance> rows = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        int label = random.nextInt(classes);
        double[] x = pictures[label].clone();
        for (int j = 0; j < features; j++) {
          x[j] += 0.5 * random.nextGaussian();
        }
        rows.add(new Instance(label, 1, Vectors.dense(x)));
      }
      blocks.add(block(rows));
    }
    return blocks;
  }

  private static InstanceBlock block(List<Instance> rows) {
    Seq<Instance> all = CollectionConverters.asScala(rows).toSeq();
    return InstanceBlock$.MODULE$.fromInstances(all);
  }

  /** Rosenbrock's function, of which each block adds its share. */
  private static double valley(double[] x, List<InstanceBlock> blocks, double[] gradient) {
    double share = (double) blocks.size() / PARTITIONS;
    double value = 0;
    for (int i = 0; i + 1 < x.length; i++) {
      double bend = x[i + 1] - x[i] * x[i];
      value += share * (10 * bend * bend + (1 - x[i]) * (1 - x[i]));
      gradient[i] += share * (-40 * x[i] * bend - 2 * (1 - x[i]));
      gradient[i + 1] += share * 20 * bend;
    }
    return value;
  }

  private static void near(double[] expected, double[] actual, double tolerance) {
    assertEquals(expected.length, actual.length);
    double largest = Arrays.stream(expected).map(Math::abs).max().orElse(0);
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], actual[i], tolerance * largest, "number " + i);
    }
  }

  /** Whether an index is one of the first. */
  private static final class Below extends AbstractFunction1<Object, Object> {
    private final int size;

    Below(int size) {
      this.size = size;
    }

    @Override
    public Object apply(Object index) {
      return (int) index < size;
    }
  }

  /** A penalty on each coefficient's absolute value but the last one's. */
  private static final class Some extends AbstractFunction1<Object, Object> {
    private final double strength;

    Some(double strength) {
      this.strength = strength;
    }

    @Override
    public Object apply(Object index) {
      return (int) index % 7 == 6 ? 0.0 : strength;
    }
  }
}
