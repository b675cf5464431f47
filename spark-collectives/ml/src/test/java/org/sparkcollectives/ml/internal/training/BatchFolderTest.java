package org.sparkcollectives.ml.internal.training;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.ml.regression.AdamWUpdater;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.optimization.Updater;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.ml.internal.objective.MiniBatches;
import org.sparkcollectives.ml.internal.rows.PartitionRows;
import org.sparkcollectives.ml.internal.rows.RowsFunction;
import org.sparkcollectives.ml.internal.state.Checkpoints;
import scala.Tuple2;

/** Trainings by mini batches that go on from a folder, with all that their steps remember. */
@Timeout(120)
class BatchFolderTest {
  private static final CommunicatorOptions OPTIONS =
      CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(30));
  private static final int RANKS = 2;
  private static final int FEATURES = 5;
  private static final int ROWS = 12; // of each rank
  private static final int FEW = 3;
  private static final int ALL = 8;

  /** Of which some batches have no rows. */
  private static final double FRACTION = 0.06;

  private static final List<List<Tuple2<Object, Vector>>> DEALT = dealt();

  @TempDir private Path folder;

  private static List<List<Tuple2<Object, Vector>>> dealt() {
    Random random = new Random(3);
    List<List<Tuple2<Object, Vector>>> dealt = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      List<Tuple2<Object, Vector>> rows = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        double[] x = random.doubles(FEATURES, -1, 1).toArray();
        rows.add(new Tuple2<>(x[0] - x[1] + random.nextGaussian(), Vectors.dense(x)));
      }
      dealt.add(rows);
    }
    return dealt;
  }

  private @Nullable Checkpoints states(boolean kept) {
    return kept ? new Checkpoints(folder.toUri().toString(), 1, new Configuration()) : null;
  }

  private static MiniBatchProgram.Ended ran(
      MiniBatchProgram<Tuple2<Object, Vector>, ? extends MiniBatchProgram.Step> program) {
    return Group.threads(
            RANKS,
            OPTIONS,
            communicator -> {
              int rank = communicator.rank();
              var own = List.of(new PartitionRows<>(rank, DEALT.get(rank))).iterator();
              return program.call(communicator, own);
            })
        .get(0)
        .next();
  }

  private MiniBatchProgram.Ended mllib(
      Updater updater, int most, double fraction, double tolerance, boolean kept) {
    MiniBatches how =
        new MiniBatches(
            new LeastSquaresGradient(),
            updater,
            0.1,
            most,
            0.01,
            fraction,
            Vectors.zeros(FEATURES),
            tolerance);
    return ran(new MllibBatchProgram("batches " + System.nanoTime(), how, RANKS, states(kept)));
  }

  private MiniBatchProgram.Ended own(StepRule rule, int most, double fraction, boolean kept) {
    LeastSquaresGradient gradient = new LeastSquaresGradient();
    RowsFunction<Tuple2<Object, Vector>> squares =
        (x, rows, sum) ->
            rows.stream()
                .mapToDouble(
                    row ->
                        gradient.compute(
                            row._2(), (double) row._1(), Vectors.dense(x), Vectors.dense(sum)))
                .sum();
    return ran(
        new OwnBatchProgram<>(
            "own batches " + System.nanoTime(),
            new OwnBatches(rule, most, fraction, 11, 0.2, 0),
            RANKS,
            squares,
            new double[FEATURES],
            states(kept)));
  }

  private static List<Updater> updaters() {
    return List.of(new SquaredL2Updater(), new AdamWUpdater(FEATURES));
  }

  private static List<StepRule> rules() {
    return List.of(new Momentum(0.1, 0), new Momentum(0.1, 0.9), new Adam(0.1, 0.9, 0.999, 1e-8));
  }

  @ParameterizedTest
  @MethodSource("updaters")
  void mllibsStepsGoOnWithTheSameBits(Updater updater) {
    for (double fraction : new double[] {FRACTION, 0.5}) {
      goesOn(
          fraction == FRACTION,
          most -> mllib(updater, most, fraction, 0, false),
          most -> mllib(updater, most, fraction, 0, true));
    }
  }

  @ParameterizedTest
  @MethodSource("rules")
  void ownStepsGoOnWithTheSameBits(StepRule rule) {
    for (double fraction : new double[] {FRACTION, 0.5}) {
      goesOn(
          fraction == FRACTION,
          most -> own(rule, most, fraction, false),
          most -> own(rule, most, fraction, true));
    }
  }

  private static void goesOn(
      boolean empty,
      IntFunction<MiniBatchProgram.Ended> alone,
      IntFunction<MiniBatchProgram.Ended> kept) {
    MiniBatchProgram.Ended whole = alone.apply(ALL);
    assertEquals(empty, whole.empty() > 0, whole.empty() + " batches without rows");
    Trained expected = whole.trained();
    MiniBatchProgram.Ended begun = kept.apply(FEW);
    assertEquals(0, begun.trained().resumedAt);
    MiniBatchProgram.Ended rest = kept.apply(ALL);
    Trained actual = rest.trained();
    assertEquals(FEW, actual.resumedAt);
    assertEquals(whole.empty(), begun.empty() + rest.empty());
    assertArrayEquals(expected.x, actual.x);
    assertArrayEquals(expected.objective, actual.objective);
  }

  /** The second step is the first that is compared with a tolerance, in whichever application. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void theSecondStepMayBeTheLast(int before) {
    Updater updater = new SquaredL2Updater();
    assertEquals(0, mllib(updater, before, 1, 1, true).trained().resumedAt);
    Trained actual = mllib(updater, ALL, 1, 1, true).trained();
    assertEquals(before, actual.resumedAt);
    assertEquals(2, actual.objective.length);
    assertArrayEquals(mllib(updater, ALL, 1, 1, false).trained().x, actual.x);
  }
}
