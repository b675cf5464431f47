package org.sparkcollectives.ml.internal.iteration;

import java.io.Serializable;
import java.util.Random;
import org.apache.spark.util.random.XORShiftRandom;

/**
 * The parameters of {@code mllib.feature.Word2Vec}, and what it derives from them. Beside the
 * vector of each word there is one for each inner node of the words' tree, of which there are
 * fewer.
 *
 * @param words how many words have a vector
 * @param occurrences how often these are in all sentences
 * @param size how many elements a vector has
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
    int window,
    double learningRate,
    int partitions,
    int iterations,
    long seed)
    implements Serializable {

  /** The rate does not become less than this part of the first one. */
  private static final double LEAST = 1e-4;

  /**
   * Whether all vectors can travel as one object, which has less than 2 GiB.
   *
   * @return false if words and inner nodes have too many elements
   */
  public boolean fit() {
    return 2L * words * (size + 1L) < Integer.MAX_VALUE / Float.BYTES;
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
