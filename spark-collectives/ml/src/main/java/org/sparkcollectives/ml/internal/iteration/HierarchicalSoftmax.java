package org.sparkcollectives.ml.internal.iteration;

import dev.ludovic.netlib.blas.BLAS;
import java.util.Arrays;
import java.util.Random;
import org.apache.spark.TaskContext;
import org.apache.spark.ml.linalg.BLAS$;
import org.apache.spark.mllib.feature.VocabWord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.ml.internal.rows.PartitionRows;

/**
 * The skip-gram model as MLlib trains it: from each word of a context, the way to the word in the
 * middle is decided from node to node of a Huffman tree, and each decision moves the two vectors
 * that made it. In the order of the sentences, one step after the other, with MLlib's rounding.
 */
final class HierarchicalSoftmax {
  private static final Logger LOG = LoggerFactory.getLogger(HierarchicalSoftmax.class);

  /** After so many words the rate changes. */
  private static final int WORDS_PER_RATE = 10_000;

  /** A product of vectors beyond this is decided already. */
  private static final int DECIDED = 6;

  private final BLAS blas = BLAS$.MODULE$.nativeBLAS();
  private final SkipGrams how;
  private final VocabWord[] vocabulary;
  private final float[] sigmoid;

  /** How many cells of the table there are for a product of 1: a whole number, as in MLlib. */
  private final double cells;

  private final float[] words;
  private final float[] nodes;
  private final float[] step;

  /** Which vectors have changed: of words, then of nodes. */
  private final boolean[] changed;

  private double error;
  private long decisions;

  /**
   * A model without vectors.
   *
   * @param how the parameters
   * @param vocabulary the words, each with its way through the tree
   * @param sigmoid MLlib's table of the sigmoid function between the products that are decided
   */
  HierarchicalSoftmax(SkipGrams how, VocabWord[] vocabulary, float[] sigmoid) {
    this.how = how;
    this.vocabulary = vocabulary;
    this.sigmoid = sigmoid;
    this.cells = Math.floorDiv(sigmoid.length, 2 * DECIDED);
    this.words = new float[how.words() * how.size()];
    this.nodes = new float[how.words() * how.size()];
    this.step = new float[how.size()];
    this.changed = new boolean[how.vectors()];
  }

  /**
   * Trains by the sentences of a partition.
   *
   * @param part sentences of numbers of words
   * @param iteration the iteration, from 1
   * @param start the vectors before, of words and of nodes, which stay as they are
   */
  void train(PartitionRows<int[]> part, int iteration, float[] start) {
    System.arraycopy(start, 0, words, 0, words.length);
    System.arraycopy(start, words.length, nodes, 0, nodes.length);
    Arrays.fill(changed, false);
    error = 0;
    decisions = 0;
    TaskContext task = TaskContext.get();
    Random random = how.random(part.partition(), iteration);
    double rate = how.learningRate();
    long rated = 0;
    long read = 0;
    for (int[] sentence : part.rows()) {
      if (task != null) {
        task.killTaskIfInterrupted();
      }
      if (read - rated > WORDS_PER_RATE) {
        rated = read;
        rate = how.rate(read, iteration);
        LOG.debug("partition {}: {} words, rate {}", part.partition(), read, rate);
      }
      read += sentence.length;
      for (int at = 0; at < sentence.length; at++) {
        int reach = how.window() - random.nextInt(how.window());
        int last = Math.min(at + reach, sentence.length - 1);
        for (int near = Math.max(at - reach, 0); near <= last; near++) {
          if (near != at) {
            learn(sentence[near], vocabulary[sentence[at]], rate);
          }
        }
      }
    }
  }

  /** Learns which word is in the middle of another's context. */
  private void learn(int near, VocabWord middle, double rate) {
    int size = how.size();
    int word = near * size;
    int[] path = middle.point();
    int[] code = middle.code();
    Arrays.fill(step, 0);
    for (int i = 0; i < middle.codeLen(); i++) {
      int node = path[i] * size;
      float product = blas.sdot(size, words, word, 1, nodes, node, 1);
      if (product > -DECIDED && product < DECIDED) {
        float likely = sigmoid[(int) ((product + DECIDED) * cells)];
        float miss = 1 - code[i] - likely;
        float gradient = (float) (miss * rate);
        blas.saxpy(size, gradient, nodes, node, 1, step, 0, 1);
        blas.saxpy(size, gradient, words, word, 1, nodes, node, 1);
        changed[how.words() + path[i]] = true;
        error += miss * miss;
        decisions++;
      }
    }
    blas.saxpy(size, 1, step, 0, 1, words, word, 1);
    changed[near] = true;
  }

  /**
   * Adds what the last training has brought.
   *
   * @param sums all vectors' elements, of which those that have changed are added; then for each
   *     vector in how many partitions it has changed; then the decisions' squared errors, and how
   *     many there were
   */
  void addTo(float[] sums) {
    int counts = how.elements();
    int rest = counts + how.vectors();
    for (int vector = 0; vector < changed.length; vector++) {
      if (changed[vector]) {
        boolean ofWord = vector < how.words();
        float[] from = ofWord ? words : nodes;
        int at = (ofWord ? vector : vector - how.words()) * how.size();
        blas.saxpy(how.size(), 1, from, at, 1, sums, vector * how.size(), 1);
        sums[counts + vector]++;
      }
    }
    sums[rest] += (float) error;
    sums[rest + 1] += (float) decisions;
  }
}
