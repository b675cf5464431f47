package org.sparkcollectives.ml.internal.training;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import breeze.linalg.DenseVector;
import breeze.optimize.LBFGS;
import breeze.optimize.OWLQN;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.LeastSquaresGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.ml.ForeignState;
import org.sparkcollectives.ml.internal.bridge.JavaBytes;
import org.sparkcollectives.ml.internal.minimizer.Optimizer;
import org.sparkcollectives.ml.internal.objective.CostObjective;
import org.sparkcollectives.ml.internal.objective.MiniBatches;
import org.sparkcollectives.ml.internal.rows.PartitionRows;
import org.sparkcollectives.ml.internal.state.Checkpoints;
import org.sparkcollectives.ml.internal.state.StateFiles;
import org.sparkcollectives.testing.FailingDisk;
import scala.Function1;
import scala.Tuple2;
import scala.runtime.AbstractFunction1;

/** Trainings that find states in a folder, without Spark. */
@Timeout(120)
class FolderTest {
  private static final CommunicatorOptions OPTIONS =
      CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(30));
  private static final int RANKS = 2;
  private static final int FEATURES = 5;
  private static final int ROWS = 12; // of each rank
  private static final List<List<Tuple2<Object, Vector>>> DEALT = dealt();

  @TempDir private Path folder;

  private static List<List<Tuple2<Object, Vector>>> dealt() {
    Random random = new Random(9);
    List<List<Tuple2<Object, Vector>>> dealt = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      List<Tuple2<Object, Vector>> rows = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        double[] x = random.doubles(FEATURES, -1, 1).toArray();
        double label = x[0] - x[1] + random.nextGaussian();
        rows.add(new Tuple2<>(label, org.apache.spark.mllib.linalg.Vectors.dense(x)));
      }
      dealt.add(rows);
    }
    return dealt;
  }

  private Checkpoints states() {
    return new Checkpoints(folder.toUri().toString(), 2, new Configuration());
  }

  private static Trained byBatches(
      int iterations, double fraction, @Nullable Checkpoints checkpoints) {
    return byBatches(DEALT, iterations, fraction, checkpoints);
  }

  private static Trained byBatches(
      List<List<Tuple2<Object, Vector>>> dealt,
      int iterations,
      double fraction,
      @Nullable Checkpoints checkpoints) {
    MiniBatches how =
        new MiniBatches(
            new LeastSquaresGradient(),
            new SquaredL2Updater(),
            0.1,
            iterations,
            0.01,
            fraction,
            org.apache.spark.mllib.linalg.Vectors.zeros(FEATURES),
            0);
    String name = "batches " + System.nanoTime();
    return Group.threads(
            RANKS,
            OPTIONS,
            communicator -> {
              int rank = communicator.rank();
              var own = List.of(new PartitionRows<>(rank, dealt.get(rank))).iterator();
              return new MllibBatchProgram(name, how, RANKS, checkpoints).call(communicator, own);
            })
        .get(0)
        .next()
        .trained();
  }

  private static Trained ofRank0(Group.RankFunction<Iterator<Trained>> ranks) {
    return Group.threads(RANKS, OPTIONS, ranks).get(0).next();
  }

  private static Trained bySteps(Placing placing, @Nullable Checkpoints checkpoints) {
    return bySteps(4, placing, checkpoints);
  }

  private static Trained bySteps(int most, Placing placing, @Nullable Checkpoints checkpoints) {
    return bySteps(most, DEALT, placing, checkpoints);
  }

  private static Trained bySteps(
      int most,
      List<List<Tuple2<Object, Vector>>> dealt,
      Placing placing,
      @Nullable Checkpoints checkpoints) {
    LBFGS<DenseVector<Object>> breeze = new LBFGS<>(most, 10, 1e-9, DenseVector.space_Double());
    return bySteps(Optimizer.of(breeze).get(), dealt, placing, checkpoints);
  }

  private static Trained bySteps(
      Optimizer optimizer,
      List<List<Tuple2<Object, Vector>>> dealt,
      Placing placing,
      @Nullable Checkpoints checkpoints) {
    String name = "steps " + System.nanoTime();
    RankProgram<Tuple2<Object, Vector>> program =
        new RankProgram<>(
            name,
            (communicator, own) ->
                new CostObjective(
                    communicator,
                    own,
                    new LeastSquaresGradient(),
                    new SquaredL2Updater(),
                    0.1,
                    RANKS * ROWS),
            optimizer,
            Vectors.dense(new double[FEATURES]),
            checkpoints,
            placing);
    return ofRank0(
        communicator -> program.call(communicator, dealt.get(communicator.rank()).iterator()));
  }

  @Test
  void aFirstBatchWithoutRowsDoesNotMakeStatesThoseOfAnother() {
    assertEquals(0, byBatches(1, 0.03, null).objective.length, "batch 1 has rows");
    Trained expected = byBatches(12, 0.03, null);
    assertEquals(0, byBatches(7, 0.03, states()).resumedAt);
    Trained actual = byBatches(12, 0.03, states());
    assertEquals(7, actual.resumedAt);
    assertArrayEquals(expected.objective, actual.objective);
    assertArrayEquals(expected.x, actual.x);
  }

  @Test
  void fewerBatchesThanBeforeAreNotMore() {
    fewerIterations(most -> byBatches(most, 0.5, null), most -> byBatches(most, 0.5, states()));
  }

  @ParameterizedTest
  @EnumSource(
      value = Placing.class,
      names = {"WHOLE", "DIVIDED"})
  void fewerStepsThanBeforeAreNotMore(Placing placing) {
    fewerIterations(most -> bySteps(most, placing, null), most -> bySteps(most, placing, states()));
  }

  private static void fewerIterations(IntFunction<Trained> alone, IntFunction<Trained> kept) {
    assertEquals(0, kept.apply(5).resumedAt); // which leaves its states 4 and 5
    for (int[] mostAndFirst : new int[][] {{4, 4}, {3, 0}, {3, 3}, {5, 5}}) {
      int most = mostAndFirst[0];
      Trained expected = alone.apply(most);
      Trained actual = kept.apply(most);
      assertEquals(mostAndFirst[1], actual.resumedAt, "of " + most);
      assertArrayEquals(expected.x, actual.x, "of " + most);
      assertArrayEquals(expected.objective, actual.objective, "of " + most);
    }
  }

  @Test
  void batchesOfAnotherTrainingThatWentFurtherCostNoStates() {
    ownOutliveOthers(
        states -> byBatches(List.of(DEALT.get(0), DEALT.get(0)), 5, 0.5, states),
        (most, states) -> byBatches(most, 0.5, states));
  }

  @ParameterizedTest
  @EnumSource(
      value = Placing.class,
      names = {"WHOLE", "DIVIDED"})
  void stepsOfAnotherTrainingThatWentFurtherCostNoStates(Placing placing) {
    List<List<Tuple2<Object, Vector>>> other = List.of(DEALT.get(0), DEALT.get(0));
    ownOutliveOthers(
        states -> bySteps(5, other, placing, states),
        (most, states) -> bySteps(most, placing, states));
  }

  private void ownOutliveOthers(
      Function<Checkpoints, Trained> other,
      BiFunction<Integer, @Nullable Checkpoints, Trained> own) {
    assertEquals(0, other.apply(states()).resumedAt); // which leaves its states 4 and 5
    assertEquals(0, own.apply(3, states()).resumedAt); // and 2 and 3
    Trained actual = own.apply(5, states());
    assertEquals(3, actual.resumedAt);
    assertArrayEquals(own.apply(5, null).x, actual.x);
  }

  /** The application that goes on would have chosen the other one. */
  @ParameterizedTest
  @EnumSource(
      value = Placing.class,
      names = {"WHOLE", "DIVIDED"})
  void anOlderStateOfTheOtherKindIsFound(Placing older) {
    Placing newer = older == Placing.WHOLE ? Placing.DIVIDED : Placing.WHOLE;
    List<List<Tuple2<Object, Vector>>> others = List.of(DEALT.get(0), DEALT.get(0));
    assertEquals(0, bySteps(5, others, newer, states()).resumedAt); // leaves its states 4 and 5
    assertEquals(0, bySteps(3, older, states()).resumedAt); // and 2 and 3
    Trained actual = bySteps(5, newer, states());
    assertEquals(3, actual.resumedAt);
    assertArrayEquals(bySteps(5, older, null).x, actual.x);
  }

  /** Each leaves its states to the next, which knows nothing of their classes. */
  @Test
  void statesOfAnotherKindOfTrainingAreReplaced() {
    List<Function<@Nullable Checkpoints, Trained>> kinds =
        List.of(
            states -> bySteps(Placing.WHOLE, states),
            states -> byBatches(4, 0.5, states),
            states -> bySteps(Placing.DIVIDED, states),
            states -> byBatches(4, 0.5, states),
            states -> bySteps(Placing.WHOLE, states));
    for (int i = 0; i < kinds.size(); i++) {
      Trained expected = kinds.get(i).apply(null);
      Trained actual = kinds.get(i).apply(states());
      assertEquals(0, actual.resumedAt, "training " + i);
      assertArrayEquals(expected.x, actual.x, "training " + i);
      assertEquals(actual.objective.length, expected.objective.length, "training " + i);
    }
  }

  @Test
  void aStateOfAClassThatIsNotThereIsReplaced() throws Exception {
    byte[] bytes = JavaBytes.of(folder.toUri());
    String text = new String(bytes, ISO_8859_1);
    byte[] other = text.replace("java.net.URI", "java.net.URX").getBytes(ISO_8859_1);
    Files.write(folder.resolve("state-000000002"), file(other));
    assertEquals(0, byBatches(4, 0.5, states()).resumedAt);
    Files.write(folder.resolve("state-000000009"), file(other));
    assertEquals(0, bySteps(Placing.WHOLE, states()).resumedAt);
  }

  private static byte[] file(byte[] state) {
    return ByteBuffer.allocate(8 + state.length).putLong(state.length).put(state).array();
  }

  @Test
  void codeOfAForeignClassDoesNotRun() throws Exception {
    byte[] foreign = JavaBytes.of(new ForeignState());
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(foreign))) {
      assertInstanceOf(ForeignState.class, in.readObject());
    }
    int before = ForeignState.read();
    assertTrue(before > 0, "reading is counted");
    assertThrows(InvalidClassException.class, () -> JavaBytes.read(foreign)); // of another rank
    Files.write(folder.resolve("state-000000002"), file(foreign));
    assertEquals(0, byBatches(4, 0.5, states()).resumedAt);
    Files.write(folder.resolve("state-000000004"), file(foreign));
    assertEquals(0, bySteps(Placing.WHOLE, states()).resumedAt);
    Files.write(folder.resolve("state-000000004-of-2"), file(foreign));
    assertEquals(2, bySteps(Placing.DIVIDED, states()).resumedAt); // as the one before left it
    assertEquals(before, ForeignState.read());
  }

  @Test
  void codeOfAForeignClassInAPartDoesNotRun() throws Exception {
    assertEquals(0, bySteps(Placing.DIVIDED, states()).resumedAt);
    byte[] foreign = JavaBytes.of(new ForeignState());
    int parts = 0;
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(each -> each.toString().endsWith("-part-0")).toList()) {
        Files.write(file, foreign);
        Files.delete(folder.resolve("." + file.getFileName() + ".crc"));
        parts++;
      }
    }
    assertEquals(2, parts);
    int before = ForeignState.read();
    assertEquals(0, bySteps(Placing.DIVIDED, states()).resumedAt);
    assertEquals(before, ForeignState.read());
  }

  /** At zeros the loss depends on labels alone. */
  @Test
  void batchesOfOtherFeaturesDoNotGoOnFromAState() {
    assertEquals(0, byBatches(6, 1, states()).resumedAt);
    List<List<Tuple2<Object, Vector>>> others = rows(DEALT, x -> 2 * x);
    Trained expected = byBatches(others, 6, 1, null);
    Trained actual = byBatches(others, 6, 1, states());
    assertEquals(0, actual.resumedAt);
    assertArrayEquals(expected.x, actual.x);
  }

  /** The first batch is the same: the rows that differ are in none of these batches. */
  @Test
  void batchesOfRowsThatOnlyOtherBatchesHaveDoNotGoOnFromAState() {
    assertEquals(0, byBatches(3, 0.1, states()).resumedAt);
    List<Trained> found = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      List<Tuple2<Object, Vector>> changed = new ArrayList<>(DEALT.get(1));
      changed.set(row, new Tuple2<>(9.0, changed.get(row)._2()));
      found.add(byBatches(List.of(DEALT.get(0), changed), 3, 0.1, null));
      Trained actual = byBatches(List.of(DEALT.get(0), changed), 3, 0.1, states());
      assertEquals(0, actual.resumedAt, "row " + row);
      assertArrayEquals(found.get(row).x, actual.x, "row " + row);
      assertEquals(0, byBatches(3, 0.1, states()).resumedAt, "the one before it is replaced");
    }
    double[] expected = byBatches(3, 0.1, null).x;
    assertTrue(found.stream().anyMatch(each -> Arrays.equals(expected, each.x)), "in no batch");
  }

  /** Where only a constant has a coefficient, values depend on labels alone. */
  @ParameterizedTest
  @EnumSource(
      value = Placing.class,
      names = {"WHOLE", "DIVIDED"})
  void stepsOfOtherFeaturesDoNotGoOnFromAState(Placing placing) {
    List<List<Tuple2<Object, Vector>>> ones = rows(DEALT, x -> x);
    assertEquals(0, constant(placing, ones).resumedAt);
    assertTrue(constant(placing, ones).resumedAt > 0);
    List<List<Tuple2<Object, Vector>>> others = rows(DEALT, x -> 2 * x);
    assertEquals(0, constant(placing, others).resumedAt);
  }

  private static List<List<Tuple2<Object, Vector>>> rows(
      List<List<Tuple2<Object, Vector>>> dealt, DoubleUnaryOperator features) {
    return dealt.stream()
        .map(
            rows ->
                rows.stream()
                    .map(
                        row -> {
                          double[] x = Arrays.stream(row._2().toArray()).map(features).toArray();
                          x[FEATURES - 1] = 1;
                          return new Tuple2<>(
                              row._1(), org.apache.spark.mllib.linalg.Vectors.dense(x));
                        })
                    .toList())
        .toList();
  }

  private Trained constant(Placing placing, List<List<Tuple2<Object, Vector>>> dealt) {
    Function1<Object, Object> strengths =
        new AbstractFunction1<>() {
          @Override
          public Object apply(Object index) {
            return (int) index == FEATURES - 1 ? 0.0 : 1000.0;
          }
        };
    OWLQN<Object, DenseVector<Object>> breeze =
        new OWLQN<>(4, 10, strengths, 1e-9, DenseVector.space_Double());
    return bySteps(Optimizer.of(breeze).get(), dealt, placing, states());
  }

  @Test
  void whereAFileWasCutShortTheOneBeforeItIsTaken() throws Exception {
    assertEquals(0, byBatches(7, 0.5, states()).resumedAt);
    truncate("state-000000007", 100);
    Trained expected = byBatches(9, 0.5, null);
    Trained actual = byBatches(9, 0.5, states());
    assertEquals(6, actual.resumedAt);
    assertArrayEquals(expected.x, actual.x);
    truncate("state-000000008", 0);
    truncate("state-000000009", 3);
    assertEquals(0, byBatches(9, 0.5, states()).resumedAt);
  }

  @Test
  void aStateThatCannotBeReadNowStays() throws Exception {
    assertEquals(0, byBatches(7, 0.5, states()).resumedAt);
    Path file = folder.resolve("state-000000007");
    byte[] right = Files.readAllBytes(file);
    StateFiles.spoil(file);
    assertEquals(6, byBatches(8, 0.5, states()).resumedAt); // of the state before it
    Files.write(file, right);
    assertEquals(7, byBatches(7, 0.5, states()).resumedAt);
  }

  /** The other training ends too early to replace the newest state, which it cannot read. */
  @Test
  void onlyTheStateThatWasReadIsJudged() throws Exception {
    assertEquals(
        0, bySteps(4, Placing.WHOLE, states()).resumedAt); // which leaves its states 2 and 4
    Path newest = folder.resolve("state-000000004");
    byte[] wrong = StateFiles.spoil(newest);
    List<Tuple2<Object, Vector>> zeros =
        List.of(new Tuple2<>(0.0, org.apache.spark.mllib.linalg.Vectors.zeros(FEATURES)));
    assertEquals(0, bySteps(4, List.of(zeros, zeros), Placing.WHOLE, states()).resumedAt);
    assertFalse(Files.exists(folder.resolve("state-000000002")), "of other rows");
    assertArrayEquals(wrong, Files.readAllBytes(newest), "may be readable later");
  }

  @Test
  void whereTheNewestStateCannotBeReadTheOneBeforeItIsTaken() throws Exception {
    assertEquals(0, byBatches(6, 0.5, states()).resumedAt);
    assertEquals(6, byBatches(7, 0.5, states()).resumedAt);
    Path newest = folder.resolve("state-000000007");
    StateFiles.spoil(newest);
    Files.createFile(folder.resolve("." + UUID.randomUUID())); // what a lost writer has left
    assertEquals(6, byBatches(7, 0.5, states()).resumedAt);
    assertEquals(7, byBatches(7, 0.5, states()).resumedAt);
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(
          List.of(), files.filter(file -> file.toString().matches(".*/\\.[^.]*-[^.]*")).toList());
    }
  }

  @Test
  void statesAreKeptThatComeAfterOnesThatCannotBeRead() throws Exception {
    assertEquals(0, byBatches(7, 0.5, states()).resumedAt);
    for (Path state :
        List.of(folder.resolve("state-000000006"), folder.resolve("state-000000007"))) {
      if (Files.exists(state)) {
        StateFiles.spoil(state);
      }
    }
    assertEquals(0, byBatches(3, 0.5, states()).resumedAt);
    assertEquals(3, byBatches(3, 0.5, states()).resumedAt);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whereAPartIsMissingOrCutShortTheStateBeforeIsTaken(boolean missing) throws Exception {
    assertEquals(0, bySteps(Placing.DIVIDED, states()).resumedAt);
    assertEquals(4, bySteps(Placing.DIVIDED, states()).resumedAt);
    String part = "state-000000004-of-2-part-1";
    if (missing) {
      Files.delete(folder.resolve(part));
    } else {
      truncate(part, 50);
    }
    Trained actual = bySteps(Placing.DIVIDED, states());
    assertEquals(2, actual.resumedAt);
    assertArrayEquals(bySteps(Placing.DIVIDED, null).x, actual.x);
  }

  /** Which ranks notice each time that they look for a state, read one or write one. */
  @ParameterizedTest
  @EnumSource(
      value = Placing.class,
      names = {"WHOLE", "DIVIDED"})
  void aDiskThatFailsEndsNoTraining(Placing placing) {
    assertEquals(0, bySteps(placing, states()).resumedAt);
    Checkpoints failing =
        new Checkpoints(folder.toUri().toString(), 2, FailingDisk.configuration());
    Trained actual = bySteps(placing, failing);
    assertEquals(0, actual.resumedAt);
    assertArrayEquals(bySteps(placing, null).x, actual.x);
    assertArrayEquals(byBatches(4, 0.5, null).x, byBatches(4, 0.5, failing).x);
  }

  private void truncate(String name, int length) throws IOException {
    Path file = folder.resolve(name);
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), length));
    Files.deleteIfExists(folder.resolve("." + name + ".crc")); // else that tells
  }
}
