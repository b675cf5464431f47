package org.sparkcollectives.ml.internal.iteration;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Serial;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.mllib.feature.VocabWord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.rows.PartitionRows;
import org.sparkcollectives.ml.internal.training.Training;
import scala.Tuple2;

/** Mixtures and words that lose an executor, in the application of another test. */
public abstract class IterationCases extends LloydCases {
  private static final int HALT_AT = 5;
  private static final int DISTRIBUTIONS = 3;

  /** Waits until all executors are there. */
  protected abstract void awaitAllExecutors() throws InterruptedException;

  @Test
  void mixturesGoOnWithTheSameBits(@TempDir Path folder) throws InterruptedException {
    JavaRDD<Tuple2<Vector, Object>> weighted =
        vectors().map(row -> new Tuple2<>(row.asML(), (Object) 1.0));
    double[][] means = new double[DISTRIBUTIONS][FEATURES];
    double[][] covariances = new double[DISTRIBUTIONS][];
    double[] weights = new double[DISTRIBUTIONS];
    Arrays.fill(weights, 1.0 / DISTRIBUTIONS);
    for (int i = 0; i < DISTRIBUTIONS; i++) {
      means[i][i] = 0.5;
      covariances[i] = identity();
    }
    ExpectationMaximization program =
        new ExpectationMaximization(Mixture.of(weights, means, covariances), ITERATIONS, 0, null);
    Pair<Mixture> found = undisturbedAndHalted(weighted, program, folder);
    for (int i = 0; i < DISTRIBUTIONS; i++) {
      assertEquals(found.expected.weight(i), found.actual.weight(i));
      assertArrayEquals(found.expected.mean(i), found.actual.mean(i));
      assertArrayEquals(found.expected.covariance(i), found.actual.covariance(i));
    }
  }

  /** The upper triangle, column after column. */
  private static double[] identity() {
    return IntStream.range(0, FEATURES)
        .boxed()
        .flatMapToDouble(
            column -> IntStream.rangeClosed(0, column).mapToDouble(row -> row == column ? 1 : 0))
        .toArray();
  }

  @Test
  void wordsGoOnWithTheSameBits(@TempDir Path folder) throws InterruptedException {
    JavaRDD<int[]> sentences =
        vectors()
            .map(
                row ->
                    Arrays.stream(row.toArray())
                        .mapToInt(x -> x < 0 ? 0 : x < 0.5 ? 1 : 2)
                        .toArray());
    VocabWord[] words = {
      word(3, new int[] {1}, 0), word(2, new int[] {1, 0}, 1, 0), word(1, new int[] {1, 0}, 1, 1)
    };
    float[] sigmoid = new float[1000];
    for (int i = 0; i < sigmoid.length; i++) {
      sigmoid[i] = (float) (1 / (1 + Math.exp(-(2.0 * i / sigmoid.length - 1) * 6)));
    }
    JavaSparkContext context = JavaSparkContext.fromSparkContext(sentences.context());
    Broadcast<VocabWord[]> vocabulary = context.broadcast(words);
    SkipGrams how =
        new SkipGrams(
            words.length, 1000, 4, 1000, 2, 0.05, sentences.getNumPartitions(), ITERATIONS, 7);
    WordVectorProgram program =
        new WordVectorProgram(how, vocabulary, context.broadcast(sigmoid), null);
    Pair<WordVectors> found =
        undisturbedAndHalted(PartitionRows.of(sentences.rdd()), program, folder);
    assertArrayEquals(found.expected.elements(), found.actual.elements());
  }

  /** A word at the end of a way through a tree of two inner nodes. */
  private static VocabWord word(long count, int[] nodes, int... turns) {
    return new VocabWord("word " + count, count, nodes, turns, turns.length);
  }

  private record Pair<S>(S expected, S actual) {}

  private <T, S extends IterativeProgram.State> Pair<S> undisturbedAndHalted(
      JavaRDD<T> rows, IterativeProgram<T, S> program, Path folder) throws InterruptedException {
    String marker = folder.resolve("halted").toString();
    awaitAllExecutors();
    S expected = Training.ran(rows.rdd(), new Halting<>(program, "")).get(0).state();
    assertEquals(0, expected.resumedAt());
    assertEquals(ITERATIONS, expected.iteration());
    S actual = Training.ran(rows.rdd(), new Halting<>(program, marker)).get(0).state();
    assertTrue(folder.resolve("halted").toFile().exists(), "halted");
    assertTrue(actual.resumedAt() > 0, "resumed at " + actual.resumedAt());
    assertArrayEquals(expected.objective(), actual.objective());
    return new Pair<>(expected, actual);
  }

  /** A program, of which rank 1 ends its executor in the middle. */
  private static final class Halting<T, S extends IterativeProgram.State>
      extends IterativeProgram<T, S> {
    @Serial private static final long serialVersionUID = 1L;
    private final IterativeProgram<T, S> program;
    private final String marker;

    Halting(IterativeProgram<T, S> program, String marker) {
      super("halting", program.start(), ITERATIONS, null);
      this.program = program;
      this.marker = marker;
    }

    @Override
    String description() {
      return program.description();
    }

    @Override
    Step<S> step(Communicator communicator, List<T> rows) {
      Step<S> step = program.step(communicator, rows);
      return (state, resumedAt) -> {
        if (!marker.isEmpty() && state.iteration() == HALT_AT) {
          halt(marker);
        }
        return step.after(state, resumedAt);
      };
    }

    @Override
    boolean converged(S state) {
      return program.converged(state);
    }

    @Override
    S result(S last) {
      return program.result(last);
    }
  }
}
