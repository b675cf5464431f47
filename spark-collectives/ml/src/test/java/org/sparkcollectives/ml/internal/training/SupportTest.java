package org.sparkcollectives.ml.internal.training;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import breeze.linalg.DenseVector;
import breeze.optimize.FirstOrderMinimizer;
import breeze.optimize.LBFGS;
import breeze.optimize.OWLQN;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.ml.feature.InstanceBlock$;
import org.apache.spark.ml.linalg.SparseMatrix;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.aggregator.AFTBlockAggregator;
import org.apache.spark.ml.optim.aggregator.BinaryLogisticBlockAggregator;
import org.apache.spark.ml.optim.aggregator.DifferentiableLossAggregator;
import org.apache.spark.ml.optim.aggregator.HingeBlockAggregator;
import org.apache.spark.ml.optim.aggregator.HuberBlockAggregator;
import org.apache.spark.ml.optim.aggregator.LeastSquaresBlockAggregator;
import org.apache.spark.ml.optim.aggregator.MultinomialLogisticBlockAggregator;
import org.apache.spark.ml.optim.loss.DifferentiableRegularization;
import org.apache.spark.ml.optim.loss.L2Regularization;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.ml.internal.bridge.HereBroadcast;
import org.sparkcollectives.ml.internal.minimizer.Optimizer;
import org.sparkcollectives.ml.internal.objective.MllibObjective;
import org.sparkcollectives.ml.internal.objective.Penalty;
import org.sparkcollectives.ml.internal.rows.Support;
import org.sparkcollectives.ml.internal.state.Checkpoints;
import scala.Function1;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/**
 * A training with many features of which rows have few takes the steps of one that has these few
 * alone, and leaves all others 0.
 */
@Timeout(120)
@Tag("cross-version")
class SupportTest {
  private static final CommunicatorOptions OPTIONS =
      CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(30));
  private static final int BLOCKS = 4;
  private static final int ALL = 12_000;

  /** The last of these is a feature that no row has, whose coefficients do not start at 0. */
  private static final int FEW = 120;

  private static final AtomicLong NAMES = new AtomicLong();

  /** Which of all features each of the few is. */
  private static final int[] PLACES = places();

  private static int[] places() {
    TreeSet<Integer> places = new TreeSet<>(List.of(0, ALL - 2, ALL - 1));
    Random random = new Random(5);
    while (places.size() < FEW) {
      places.add(random.nextInt(ALL));
    }
    return places.stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * A kind of objective.
   *
   * @param aggregators makes MLlib's, of scales and means of features
   * @param label makes a row's label of what its features add up to
   * @param sets how many coefficients a feature has
   * @param others how many belong to no feature
   */
  private record Kind<A extends DifferentiableLossAggregator<InstanceBlock, A>>(
      BiFunction<Broadcast<double[]>, Broadcast<double[]>, Function1<Broadcast<Vector>, A>>
          aggregators,
      DoubleUnaryOperator label,
      int sets,
      int others) {

    int length(int features) {
      return sets * features + others;
    }
  }

  private static double sign(double sum) {
    return sum > 0 ? 1 : 0;
  }

  private static final Kind<BinaryLogisticBlockAggregator> BINARY =
      new Kind<>(
          (scales, means) -> x -> new BinaryLogisticBlockAggregator(scales, means, true, true, x),
          SupportTest::sign,
          1,
          1);

  @Test
  void binaryLogistic() {
    same(BINARY);
  }

  @Test
  void multinomialLogistic() {
    same(
        new Kind<MultinomialLogisticBlockAggregator>(
            (scales, means) ->
                x -> new MultinomialLogisticBlockAggregator(scales, means, true, true, x),
            sum -> sum < -1 ? 0 : sum < 1 ? 1 : 2,
            3,
            3));
    same(
        new Kind<MultinomialLogisticBlockAggregator>(
            (scales, means) ->
                x -> new MultinomialLogisticBlockAggregator(scales, means, false, false, x),
            sum -> sum < -1 ? 0 : sum < 1 ? 1 : 2,
            3,
            0));
  }

  @Test
  void hinges() {
    same(
        new Kind<HingeBlockAggregator>(
            (scales, means) -> x -> new HingeBlockAggregator(scales, means, true, x),
            SupportTest::sign,
            1,
            1));
  }

  @Test
  void leastSquares() {
    same(
        new Kind<LeastSquaresBlockAggregator>(
            (scales, means) -> x -> new LeastSquaresBlockAggregator(scales, means, true, 2, 0.5, x),
            sum -> sum,
            1,
            0));
  }

  @Test
  void huber() {
    same(
        new Kind<HuberBlockAggregator>(
            (scales, means) -> x -> new HuberBlockAggregator(scales, means, true, 1.35, x),
            sum -> sum,
            1,
            2));
  }

  @Test
  void survival() {
    same(
        new Kind<AFTBlockAggregator>(
            (scales, means) -> x -> new AFTBlockAggregator(means, true, x),
            sum -> Math.exp(sum / 4),
            1,
            2));
  }

  private static <A extends DifferentiableLossAggregator<InstanceBlock, A>> void same(
      Kind<A> kind) {
    double[] few = start(kind);
    double[] all = spread(few, kind);
    Support support = requireNonNull(support(kind, all));
    assertEquals(kind.length(FEW), support.size(), "what no row has but does not start at 0, too");
    assertEquals(all.length, support.length());
    for (boolean orthantWise : new boolean[] {false, true}) {
      for (Placing placing : List.of(Placing.WHOLE, Placing.DIVIDED)) {
        for (int ranks : new int[] {1, 3}) {
          String what = "orthant-wise " + orthantWise + ", " + placing + " on " + ranks;
          Trained expected = trained(kind, FEW, orthantWise, few, placing, ranks);
          assertTrue(expected.objective.length > 5, "iterations: " + expected.objective.length);
          Trained actual = trained(kind, ALL, orthantWise, all, placing, ranks);
          assertEquals(expected.objective.length, actual.objective.length, what);
          assertEquals(expected.evaluations, actual.evaluations, what);
          assertEquals(expected.reason, actual.reason, what);
          near(expected.objective, actual.objective, what);
          near(spread(expected.x, kind), actual.x, what);
        }
      }
    }
  }

  /** What a training finds of all rows. */
  private static <A extends DifferentiableLossAggregator<InstanceBlock, A>>
      @Nullable Support support(Kind<A> kind, double[] start) {
    Penalty penalty = penalty(new OfFeature(true, kind.sets));
    HereBroadcast<double[]> zeros = new HereBroadcast<>(new double[ALL]);
    List<InstanceBlock> blocks = blocks(ALL, kind.label);
    return Group.<@Nullable Support>threads(
            1,
            OPTIONS,
            communicator ->
                new MllibObjective<>(
                        communicator, blocks, kind.aggregators.apply(zeros, zeros), penalty)
                    .support(Vectors.dense(start)))
        .get(0);
  }

  private static double[] start(Kind<?> kind) {
    double[] start = new double[kind.length(FEW)];
    for (int i = (FEW - 1) * kind.sets; i < start.length; i++) {
      start[i] = 0.5; // of the feature that no row has, and of none
    }
    return start;
  }

  /** Coefficients of the few features as those of all. */
  private static double[] spread(double[] few, Kind<?> kind) {
    double[] all = new double[kind.length(ALL)];
    for (int i = 0; i < FEW * kind.sets; i++) {
      all[PLACES[i / kind.sets] * kind.sets + i % kind.sets] = few[i];
    }
    System.arraycopy(few, FEW * kind.sets, all, ALL * kind.sets, kind.others);
    return all;
  }

  private static void near(double[] expected, double[] actual, String what) {
    assertEquals(expected.length, actual.length, what);
    double largest = Arrays.stream(expected).map(Math::abs).max().orElse(0);
    for (int i = 0; i < expected.length; i++) {
      double slack = expected[i] == 0 ? 0 : 1e-8 * largest;
      assertEquals(expected[i], actual[i], slack, what + ": coefficient " + i);
    }
  }

  private static <A extends DifferentiableLossAggregator<InstanceBlock, A>> Trained trained(
      Kind<A> kind, int features, boolean orthantWise, double[] start, Placing placing, int ranks) {
    FirstOrderMinimizer<?, ?> minimizer =
        minimizer(15, orthantWise, new OfFeature(features == ALL, kind.sets));
    return trained(kind, blocks(features, kind.label), minimizer, start, placing, ranks, null);
  }

  private static <A extends DifferentiableLossAggregator<InstanceBlock, A>> Trained trained(
      Kind<A> kind,
      List<InstanceBlock> blocks,
      FirstOrderMinimizer<?, ?> minimizer,
      double[] start,
      Placing placing,
      int ranks,
      @Nullable Checkpoints checkpoints) {
    int features = blocks.get(0).numFeatures();
    double[] scales = new double[features];
    double[] means = new double[features];
    for (int i = 0; i < FEW - 1; i++) {
      means[features == ALL ? PLACES[i] : i] = 0.01 * (i % 7);
      scales[features == ALL ? PLACES[i] : i] = 1;
    }
    RankProgram<InstanceBlock> program =
        RankProgram.ofMllib(
            "support " + NAMES.incrementAndGet(),
            kind.aggregators.apply(new HereBroadcast<>(scales), new HereBroadcast<>(means)),
            penalty(new OfFeature(features == ALL, kind.sets)),
            Optimizer.of(minimizer).orElseThrow(),
            Vectors.dense(start),
            checkpoints,
            placing);
    List<Trained> found =
        Group.<@Nullable Trained>threads(
                ranks, OPTIONS, communicator -> result(program, communicator, blocks))
            .stream()
            .filter(Objects::nonNull)
            .toList();
    assertEquals(start.length, found.get(0).length);
    return found
        .get(0)
        .withAll(found.stream().flatMapToDouble(trained -> Arrays.stream(trained.x)).toArray());
  }

  private static @Nullable Trained result(
      RankProgram<InstanceBlock> program, Communicator communicator, List<InstanceBlock> blocks)
      throws Exception {
    Iterator<Trained> results = program.call(communicator, own(communicator, blocks).iterator());
    return results.hasNext() ? results.next() : null;
  }

  private static List<InstanceBlock> own(Communicator communicator, List<InstanceBlock> blocks) {
    return IntStream.range(0, blocks.size())
        .filter(i -> i % communicator.size() == communicator.rank())
        .mapToObj(blocks::get)
        .toList();
  }

  private static FirstOrderMinimizer<?, ?> minimizer(
      int iterations, boolean orthantWise, OfFeature features) {
    return orthantWise
        ? new OWLQN<Object, DenseVector<Object>>(
            iterations, 10, features.map(j -> 1e-4 * (j % 3)), 1e-9, DenseVector.space_Double())
        : new LBFGS<DenseVector<Object>>(iterations, 10, 1e-9, DenseVector.space_Double());
  }

  /**
   * Functions of coefficients' indices that depend on which of the few features a coefficient is
   * of.
   *
   * @param all whether indices are of all features' coefficients
   * @param sets how many coefficients a feature has
   */
  private record OfFeature(boolean all, int sets) {

    /** A function that is 0 or false, as for feature 0, for what is of none of the few. */
    Function1<Object, Object> map(IntFunction<Object> of) {
      return new AbstractFunction1<>() {
        @Override
        public Object apply(Object i) {
          int feature = (int) i / sets;
          int few = all ? Arrays.binarySearch(PLACES, feature) : feature;
          return of.apply(few < 0 || few >= FEW ? 0 : few);
        }
      };
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // MLlib's regularisations are of vectors
  private static Penalty penalty(OfFeature features) {
    Option<Function1<Object, Object>> deviations =
        Option.apply(features.map(j -> 1 + 0.1 * (j % 4)));
    Option<L2Regularization> l2 =
        Option.apply(new L2Regularization(1e-2, features.map(j -> j % 5 > 0), deviations));
    return Penalty.of((Option<DifferentiableRegularization<Vector>>) (Option) l2).orElseThrow();
  }

  /** The same rows, of so many features. */
  private static List<InstanceBlock> blocks(int features, DoubleUnaryOperator label) {
    Random random = new Random(11);
    double[] truth = random.doubles(FEW, -1, 1).toArray();
    List<InstanceBlock> blocks = new ArrayList<>();
    for (int b = 0; b < BLOCKS; b++) {
      List<Instance> rows = new ArrayList<>();
      for (int i = 0; i < 80; i++) {
        int[] chosen = random.ints(0, FEW - 1).distinct().limit(12).sorted().toArray();
        double[] values = random.doubles(chosen.length, 0.5, 1.5).toArray();
        double sum = 0;
        for (int k = 0; k < chosen.length; k++) {
          sum += truth[chosen[k]] * values[k];
        }
        int[] indices =
            features == ALL ? Arrays.stream(chosen).map(j -> PLACES[j]).toArray() : chosen;
        rows.add(
            new Instance(label.applyAsDouble(sum), 1, Vectors.sparse(features, indices, values)));
      }
      blocks.add(InstanceBlock$.MODULE$.fromInstances(CollectionConverters.asScala(rows).toSeq()));
    }
    return blocks;
  }

  @ParameterizedTest
  @EnumSource(
      value = Placing.class,
      names = {"WHOLE", "DIVIDED"})
  void aTrainingGoesOnWhereItsRowsHaveTheSameFeatures(Placing placing, @TempDir Path folder) {
    List<InstanceBlock> blocks = blocks(ALL, SupportTest::sign);
    List<InstanceBlock> others = blocks(ALL, SupportTest::sign);
    assertTrue(Arrays.binarySearch(PLACES, 1) < 0, "a feature that no row has");
    for (InstanceBlock block : others) { // as many features, of which one is another
      int[] columns = ((SparseMatrix) block.matrix()).rowIndices();
      Arrays.setAll(columns, k -> columns[k] == 0 ? 1 : columns[k]);
    }
    Trained expected = bySteps(9, blocks, placing, null);
    assertEquals(0, bySteps(5, blocks, placing, folder).resumedAt);
    Trained actual = bySteps(9, blocks, placing, folder);
    assertEquals(5, actual.resumedAt);
    assertArrayEquals(expected.x, actual.x);
    assertEquals(0, bySteps(9, others, placing, folder).resumedAt, "of other coefficients");
  }

  private static Trained bySteps(
      int most, List<InstanceBlock> blocks, Placing placing, @Nullable Path folder) {
    FirstOrderMinimizer<?, ?> minimizer = minimizer(most, false, new OfFeature(true, 1));
    Checkpoints states =
        folder == null ? null : new Checkpoints(folder.toUri().toString(), 2, new Configuration());
    return trained(BINARY, blocks, minimizer, new double[ALL + 1], placing, 2, states);
  }

  private static @Nullable Support found(int ranks, List<InstanceBlock> blocks, Vector initial) {
    List<@Nullable Support> all =
        Group.<@Nullable Support>threads(
            ranks, OPTIONS, c -> Support.find(c, own(c, blocks), initial));
    assertEquals(1, all.stream().map(String::valueOf).distinct().count(), "on all ranks the same");
    return all.get(0);
  }

  @Test
  void allRanksKnowWhatOneHas() {
    List<InstanceBlock> blocks = blocks(ALL, SupportTest::sign);
    for (int ranks : new int[] {1, 4, 7}) { // of the seven three have no rows
      Support support = found(ranks, blocks, Vectors.zeros(ALL + 1));
      assertNotNull(support);
      assertEquals(FEW, support.size(), "119 features and an intercept");
      for (int i = 0; i < FEW - 1; i++) {
        assertEquals(PLACES[i], support.index(i));
      }
      assertEquals(ALL, support.index(FEW - 1));
    }
  }

  @Test
  void coefficientsOfFeaturesFollowEachOther() {
    BitSet own = new BitSet();
    own.set(1);
    own.set(ALL - 1);
    Support features =
        requireNonNull(
            Group.<@Nullable Support>threads(1, OPTIONS, c -> Support.ofFeatures(c, () -> own, ALL))
                .get(0));
    assertArrayEquals(new int[] {1, ALL - 1}, features.indices());
    Support coefficients = features.ofCoefficients(3, 2);
    assertArrayEquals(
        new int[] {3, 4, 5, 3 * ALL - 3, 3 * ALL - 2, 3 * ALL - 1, 3 * ALL, 3 * ALL + 1},
        coefficients.indices());
    assertEquals(3 * ALL + 2, coefficients.length());
    double[] these = {1, 2, 3, 4, 5, 6, 7, 8};
    assertArrayEquals(new double[] {0, 1, 2, 3, 0}, coefficients.part(these, 2, 5));
    assertArrayEquals(new double[] {6, 7, 8}, coefficients.part(these, 3 * ALL - 1, 3));
    assertArrayEquals(new double[] {}, coefficients.part(these, 3 * ALL + 2, 0));
    double[] all = coefficients.part(these, 0, coefficients.length());
    assertArrayEquals(these, coefficients.of(all));
  }

  @Test
  void thereIsNoneWhereItWouldBeLargeOrIsNotKnown() {
    List<InstanceBlock> blocks = blocks(ALL, SupportTest::sign);
    double[] most = new double[ALL];
    Arrays.fill(most, 0, ALL / 2 + 1, 1);
    assertNull(found(2, blocks, Vectors.dense(most)), "coefficients that do not start at 0");
    assertNull(found(2, blocks, Vectors.zeros(ALL + 3)), "what are three of no feature?");
    assertNull(found(2, blocks, Vectors.zeros(2 * ALL + 1)), "two for each, and one?");
    assertNull(found(2, List.of(), Vectors.zeros(ALL)), "no rows");
    Instance zero = new Instance(1, 1, Vectors.sparse(ALL, new int[0], new double[0]));
    List<InstanceBlock> zeros =
        List.of(
            InstanceBlock$.MODULE$.fromInstances(
                CollectionConverters.asScala(List.of(zero)).toSeq()));
    assertNull(found(2, zeros, Vectors.zeros(ALL)), "nothing is left");
    assertNull(found(2, blocks(FEW, SupportTest::sign), Vectors.zeros(FEW)), "few features");
    List<InstanceBlock> dense = new ArrayList<>(blocks);
    Instance row = new Instance(1, 1, Vectors.dense(most));
    dense.add(
        InstanceBlock$.MODULE$.fromInstances(CollectionConverters.asScala(List.of(row)).toSeq()));
    assertNull(found(3, dense, Vectors.zeros(ALL)), "one dense block");
  }
}
