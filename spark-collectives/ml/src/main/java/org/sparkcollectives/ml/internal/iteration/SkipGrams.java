package org.sparkcollectives.ml.internal.iteration;

import java.io.Serializable;
import java.util.Locale;
import java.util.Random;
import org.apache.spark.util.random.XORShiftRandom;
import org.sparkcollectives.error.InvalidInputException;

/**
 * The parameters of {@code mllib.feature.Word2Vec}, and what it derives from them. Beside the
 * vector of each word there is one for each inner node of the words' tree, of which there are
 * fewer.
 *
 * @param words how many words have a vector
 * @param occurrences how often these are in all sentences
 * @param size how many elements a vector has
 * @param longest how many words a sentence has at most; a longer one is several
 * @param window how many words before and after a word are its context at most
 * @param learningRate the rate of the first steps
 * @param partitions into how many parts the sentences are dealt
 * @param iterations how often all sentences are read
 * @param seed of the first vectors, and of the contexts' widths
 */
public record SkipGrams(
    int words,
    long occurrences,
    int size,
    int longest,
    int window,
    double learningRate,
    int partitions,
    int iterations,
    long seed)
    implements Serializable {

  /** The rate does not become less than this part of the first one. */
  private static final double LEAST = 1e-4;

  private static final String NOT_TRAINED = "vectors of words cannot be trained in one stage";

  /** The part of the heap that the vectors of all ranks of a process may take. */
  private static final double HEAP = 0.5;

  /** How often a rank has all vectors: before an iteration, as it changes them, and their sum. */
  private static final int COPIES = 3;

  /**
   * Refuses vectors that cannot travel as one object.
   *
   * @throws InvalidInputException if words and inner nodes have too many elements
   */
  public void check() {
    if (bytes() >= Integer.MAX_VALUE) {
      throw InvalidInputException.of(
          NOT_TRAINED,
          String.format(
              Locale.ROOT,
              "%d words of %d elements and the nodes of their tree take %.0f MiB, and 2048 are the most",
              words,
              size,
              bytes() / (1 << 20)),
          "raise minCount or lower vectorSize, or let Spark train them");
    }
  }

  /**
   * Refuses vectors that would fill a process.
   *
   * @param ranks how many ranks the process has
   * @param heap its largest heap in bytes
   * @throws InvalidInputException if the vectors of all of them take too much of it
   */
  void checkHeap(long ranks, long heap) {
    double all = ranks * COPIES * bytes();
    if (all > HEAP * heap) {
      throw InvalidInputException.of(
          NOT_TRAINED,
          String.format(
              Locale.ROOT,
              "%d ranks of an executor take %.0f MiB, more than half of its %d MiB",
              ranks,
              all / (1 << 20),
              heap >> 20),
          "give executors more memory or fewer cores, or ask for fewer partitions");
    }
  }

  private double bytes() {
    return 2.0 * words * (size + 1.0) * Float.BYTES;
  }

  /** How many vectors there are: those of the words first. */
  int vectors() {
    return 2 * words;
  }

  /** How many elements all vectors have. */
  int elements() {
    return vectors() * size;
  }

  /** The first vectors: random ones of words, zeros of inner nodes. */
  float[] first() {
    Random random = new XORShiftRandom(seed);
    float[] first = new float[elements()];
    for (int i = 0; i < words * size; i++) {
      first[i] = (random.nextFloat() - 0.5f) / size;
    }
    return first;
  }

  /** What draws the contexts' widths in a partition, from 0, in an iteration, from 1. */
  Random random(int partition, int iteration) {
    return new XORShiftRandom(seed ^ ((partition + 1) << 16) ^ ((-iteration - 1) << 8));
  }

  /**
   * The rate of learning.
   *
   * @param read how many words of a partition have been read in the iteration
   * @param iteration the iteration, from 1
   */
  double rate(long read, int iteration) {
    double done = partitions * (double) read + (iteration - 1) * occurrences;
    return learningRate * Math.max(1 - done / (iterations * occurrences + 1), LEAST);
  }
}
