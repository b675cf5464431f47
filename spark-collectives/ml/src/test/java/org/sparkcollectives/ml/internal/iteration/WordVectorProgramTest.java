package org.sparkcollectives.ml.internal.iteration;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.apache.spark.mllib.feature.VocabWord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.ml.internal.bridge.HereBroadcast;
import org.sparkcollectives.ml.internal.rows.PartitionRows;

@Timeout(120)
final class WordVectorProgramTest {
  private static final CommunicatorOptions OPTIONS =
      CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(30));
  private static final int SIZE = 3;
  private static final int ITERATIONS = 4;

  /** A balanced tree of four words, and one that is in no sentence. */
  private static final VocabWord[] WORDS = {
    word(400, 3, 1, 0, 0, 0),
    word(300, 3, 1, 0, 0, 1),
    word(200, 3, 2, 0, 1, 0),
    word(100, 3, 2, 0, 1, 1),
    word(1, 3, 2, 1, 1, 1)
  };

  private static VocabWord word(long count, int root, int inner, int leaf, int first, int second) {
    return new VocabWord(
        "word " + count, count, new int[] {root, inner, leaf}, new int[] {first, second, 0}, 2);
  }

  @Test
  void ranksDoNotMatter() {
    float[] expected = trained(program(), partitions(), 1).elements();
    assertEquals(WORDS.length * SIZE, expected.length);
    for (int ranks : new int[] {2, 3, 5}) {
      assertArrayEquals(expected, trained(program(), partitions(), ranks).elements(), 1e-6f);
    }
  }

  @Test
  void whatNobodyChangesStaysAndTheErrorFalls() {
    WordVectors found = trained(program(), partitions(), 2);
    float[] first = how().first();
    int last = (WORDS.length - 1) * SIZE;
    for (int i = 0; i < SIZE; i++) {
      assertTrue(first[i] != found.elements()[i], "changed");
      assertEquals(first[last + i], found.elements()[last + i], "changed by nobody");
    }
    double[] errors = found.objective();
    assertEquals(ITERATIONS, errors.length);
    assertTrue(errors[0] < 0.25, "that of vectors which know nothing");
    assertTrue(errors[ITERATIONS - 1] < errors[0], "error");
  }

  @Test
  void goesOnFromTheNewestStateWithTheSameBits() {
    WordVectors expected = trained(program(), partitions(), 2);
    assertEquals(0, expected.resumedAt());
    List<PartitionRows<int[]>> failing = partitions();
    failing.set(1, new PartitionRows<>(1, new FailingOnce(failing.get(1).rows())));
    WordVectorProgram program = program();
    assertThrows(RuntimeException.class, () -> trained(program, failing, 2));
    WordVectors actual = trained(program, failing, 2);
    assertTrue(actual.resumedAt() > 0, "resumed at " + actual.resumedAt());
    assertArrayEquals(expected.elements(), actual.elements());
    assertArrayEquals(expected.objective(), actual.objective());
  }

  @Test
  void aStateFitsTheSameSentencesInAnyOrder() {
    WordVectors kept = trained(program(), partitions(), 2);
    List<PartitionRows<int[]>> shuffled = partitions();
    Collections.reverse(shuffled);
    Collections.shuffle(shuffled.get(0).rows(), new Random(1));
    assertEquals(List.of(true, true, true), fits(kept, shuffled, 3));
    List<PartitionRows<int[]>> others = partitions();
    int[] sentence = others.get(1).rows().get(7);
    int[] before = sentence.clone();
    Arrays.sort(sentence); // the same words in another order
    assertFalse(Arrays.equals(before, sentence));
    assertEquals(List.of(false, false), fits(kept, others, 2));
  }

  private static List<Boolean> fits(
      WordVectors kept, List<PartitionRows<int[]>> partitions, int ranks) {
    WordVectorProgram program = program();
    return Group.threads(
        ranks,
        OPTIONS,
        communicator ->
            program.same(program.step(communicator, own(communicator, partitions)), kept));
  }

  /** Elements of 4 bytes, for each of 2 v vectors d and a count. */
  @Test
  void vectorsMustBeSmallerThanAnObjectCanBe() {
    of(2_600_000, 100).check();
    for (SkipGrams large : List.of(of(2_700_000, 100), of(Integer.MAX_VALUE, Integer.MAX_VALUE))) {
      InvalidInputException e = assertThrows(InvalidInputException.class, large::check);
      assertTrue(e.getMessage().contains("2048 are the most"), e.getMessage());
    }
  }

  /** 2 · 1000 · 100 · 4 bytes, three times on each rank, and half of a heap. */
  @Test
  void vectorsOfAllRanksMustFitIntoAnExecutor() {
    SkipGrams how = of(1000, 99);
    how.checkHeap(4, 2 * 4 * 3 * 800_000);
    InvalidInputException e =
        assertThrows(InvalidInputException.class, () -> how.checkHeap(5, 2 * 4 * 3 * 800_000));
    assertTrue(e.getMessage().contains("5 ranks of an executor take 11 MiB"), e.getMessage());
  }

  /** A heap that has no room for the vectors may have none for the sentences. */
  @Test
  void refusesVectorsBeforeSentencesAreRead() {
    int words = (int) (Runtime.getRuntime().maxMemory() / 4000);
    WordVectorProgram program =
        new WordVectorProgram(
            of(words, 999), new HereBroadcast<>(WORDS), new HereBroadcast<>(new float[0]), null);
    Iterator<PartitionRows<int[]>> unread =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            throw new AssertionError("read");
          }

          @Override
          public PartitionRows<int[]> next() {
            throw new AssertionError("read");
          }
        };
    RankFailedException e =
        assertThrows(
            RankFailedException.class,
            () -> Group.threads(1, OPTIONS, communicator -> program.call(communicator, unread)));
    assertTrue(String.valueOf(e.getMessage()).contains("of an executor take"), e.getMessage());
  }

  private static SkipGrams of(int words, int size) {
    return new SkipGrams(words, 1, size, 1000, 5, 0.025, 1, 1, 1);
  }

  /** MLlib's, at first, after a tenth of the words, and when all have been read twice. */
  @Test
  void theRateFallsWithTheWordsThatWereRead() {
    SkipGrams how = new SkipGrams(5, 100_000, 3, 1000, 5, 0.5, 2, 2, 1);
    assertEquals(0.5, how.rate(0, 1));
    assertEquals(0.45, how.rate(10_000, 1), 1e-5);
    assertEquals(0.2, how.rate(10_000, 2), 1e-5);
    assertEquals(0.5e-4, how.rate(50_000, 2), 1e-6);
  }

  private static SkipGrams how() {
    return new SkipGrams(
        WORDS.length, 1000, SIZE, 1000, 2, 0.05, partitions().size(), ITERATIONS, 7);
  }

  private static WordVectorProgram program() {
    float[] sigmoid = new float[1000];
    for (int i = 0; i < sigmoid.length; i++) {
      sigmoid[i] = (float) (1 / (1 + Math.exp(-(2.0 * i / sigmoid.length - 1) * 6)));
    }
    return new WordVectorProgram(
        how(), new HereBroadcast<>(WORDS), new HereBroadcast<>(sigmoid), null);
  }

  /** Sentences of the first words, which prefer their neighbours; the third has none. */
  private static List<PartitionRows<int[]>> partitions() {
    List<PartitionRows<int[]>> partitions = new ArrayList<>();
    for (int p = 0; p < 5; p++) {
      Random random = new Random(p);
      List<int[]> sentences = new ArrayList<>();
      for (int i = 0; i < (p == 2 ? 0 : 60); i++) {
        int topic = random.nextInt(2);
        sentences.add(random.ints(6, 2 * topic, 2 * topic + 2).toArray());
      }
      partitions.add(new PartitionRows<>(p, sentences));
    }
    return partitions;
  }

  private static WordVectors trained(
      WordVectorProgram program, List<PartitionRows<int[]>> partitions, int ranks) {
    return Group.<@Nullable WordVectors>threads(
            ranks, OPTIONS, communicator -> result(program, communicator, partitions))
        .stream()
        .filter(Objects::nonNull)
        .toList()
        .get(0);
  }

  private static @Nullable WordVectors result(
      WordVectorProgram program, Communicator communicator, List<PartitionRows<int[]>> partitions)
      throws Exception {
    Iterator<IterativeProgram.Ended<WordVectors>> results =
        program.call(communicator, own(communicator, partitions).iterator());
    return results.hasNext() ? results.next().state() : null;
  }

  private static List<PartitionRows<int[]>> own(
      Communicator communicator, List<PartitionRows<int[]>> partitions) {
    List<PartitionRows<int[]>> own = new ArrayList<>();
    for (int i = communicator.rank(); i < partitions.size(); i += communicator.size()) {
      own.add(partitions.get(i));
    }
    return own;
  }

  /** Sentences that cannot be read the third time. */
  private static final class FailingOnce extends AbstractList<int[]> {
    private final List<int[]> sentences;
    private int reads;

    FailingOnce(List<int[]> sentences) {
      this.sentences = sentences;
    }

    @Override
    public int[] get(int index) {
      if (index == 0 && ++reads == 3) {
        throw new ArithmeticException("lost");
      }
      return sentences.get(index);
    }

    @Override
    public int size() {
      return sentences.size();
    }
  }
}
