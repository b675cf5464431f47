package org.sparkcollectives.ml.internal.takeover;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.ml.stat.SummarizerBuffer;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.ml.internal.bridge.Hidden;
import org.sparkcollectives.ml.internal.rows.Support;
import org.sparkcollectives.vector.ReduceOp;
import scala.collection.Iterable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Means and squared deviations of MLlib's summaries as tuples that are merged in blocks. A tuple is
 * a run of features: the rows' weight, each feature's mean over all of it, then each feature's sum
 * of squared deviations from that mean.
 *
 * <p>MLlib counts for each feature the weight of those rows alone that store it. Here zeros that
 * are not stored are counted in before merging, so that one weight is that of a whole run, and of
 * each feature two numbers travel in place of three.
 */
final class Moments {
  /** Features in a run. */
  static final int RUN = 32;

  private static final int WIDTH = 1 + 2 * RUN;

  /** Merges tuples, by the same formula as MLlib. */
  static final ReduceOp<Object> MERGE =
      ReduceOp.ofDoubleTuples("moments", true, WIDTH, Moments::merge);

  /** What a summary computes that consists of means and deviations. */
  private static final Set<String> COMPUTED =
      Set.of("ComputeMean", "ComputeM2n", "ComputeWeightSum");

  private static final String LENGTH = "n";
  private static final String MEANS = "currMean";
  private static final String SQUARES = "currM2n";
  private static final String WEIGHTS = "currWeightSum";

  private Moments() {}

  /**
   * Whether a summary knows of each feature its mean and its deviation, and nothing else.
   *
   * @param summary a summary, to which nothing need have been added
   */
  static boolean areAll(SummarizerBuffer summary) {
    Iterable<?> computed =
        (Iterable<?>) requireNonNull(Hidden.field(summary, "requestedCompMetrics"));
    return CollectionConverters.asJavaCollection(computed).stream()
        .map(Object::toString)
        .map(name -> name.substring(name.lastIndexOf('$') + 1))
        .collect(Collectors.toSet())
        .equals(COMPUTED);
  }

  /** How many features a summary has; 0 when no row with a weight was added. */
  static int features(SummarizerBuffer summary) {
    return (int) requireNonNull(Hidden.field(summary, LENGTH));
  }

  /** Which features of a summary are not 0 in all of its rows. */
  static BitSet present(SummarizerBuffer summary) {
    int features = features(summary);
    BitSet present = new BitSet(features);
    if (features > 0) {
      double[] means = array(summary, MEANS);
      double[] squares = array(summary, SQUARES);
      for (int j = 0; j < features; j++) {
        present.set(j, means[j] != 0 || squares[j] != 0);
      }
    }
    return present;
  }

  /**
   * Takes a summary's arrays out, so that it has no features.
   *
   * @param summary the summary
   * @param features how many features there are
   * @param support those that tuples are wanted of; null for all
   * @return the tuples; of weight 0 where the summary has no features
   */
  static double[] taken(SummarizerBuffer summary, int features, @Nullable Support support) {
    int wanted = support == null ? features : support.size();
    double[] tuples = new double[Math.multiplyExact((wanted + RUN - 1) / RUN, WIDTH)];
    if (features(summary) > 0) {
      double all = summary.weightSum();
      double[] means = array(summary, MEANS);
      double[] squares = array(summary, SQUARES);
      double[] weights = array(summary, WEIGHTS);
      for (int i = 0; i < wanted; i++) {
        int j = support == null ? i : support.index(i);
        int tuple = i / RUN * WIDTH;
        int mean = tuple + 1 + i % RUN;
        double stored = weights[j];
        tuples[tuple] = all;
        tuples[mean] = means[j] * (stored / all);
        tuples[mean + RUN] = squares[j] + means[j] * means[j] * stored * (all - stored) / all;
      }
    }
    fill(summary, new double[0], new double[0], new double[0]);
    return tuples;
  }

  /**
   * Gives a summary its features back.
   *
   * @param summary the summary of all rows, without features
   * @param features how many there are
   * @param present which of them tuples are of, the others being 0 in all rows; null for all
   * @param parts merged tuples, in turn
   */
  static void put(
      SummarizerBuffer summary, int features, int @Nullable [] present, double[][] parts) {
    int known = present == null ? features : present.length;
    double[] means = new double[features];
    double[] squares = new double[features];
    double[] weights = new double[features];
    int next = 0;
    for (double[] tuples : parts) {
      for (int at = 1; at < tuples.length; at += WIDTH) {
        int end = at + Math.min(RUN, known - next);
        for (int i = at; i < end; i++) {
          int j = present == null ? next : present[next];
          means[j] = tuples[i];
          squares[j] = tuples[i + RUN];
          next++;
        }
      }
    }
    Arrays.fill(weights, summary.weightSum());
    fill(summary, means, squares, weights);
  }

  private static void fill(
      SummarizerBuffer summary, double[] means, double[] squares, double[] weights) {
    Hidden.set(summary, LENGTH, means.length);
    Hidden.set(summary, MEANS, means);
    Hidden.set(summary, SQUARES, squares);
    Hidden.set(summary, WEIGHTS, weights);
  }

  private static double[] array(SummarizerBuffer summary, String name) {
    return (double[]) requireNonNull(Hidden.field(summary, name));
  }

  private static void merge(
      double[] left, int leftAt, double[] right, int rightAt, double[] result) {
    double before = left[leftAt];
    double added = right[rightAt];
    if (before == 0 || added == 0) {
      boolean none = before == 0;
      System.arraycopy(none ? right : left, none ? rightAt : leftAt, result, 0, WIDTH);
      return;
    }
    double all = before + added;
    result[0] = all;
    for (int i = 1; i <= RUN; i++) {
      double mean = left[leftAt + i];
      double delta = right[rightAt + i] - mean;
      result[i] = mean + delta * added / all;
      result[i + RUN] =
          left[leftAt + i + RUN] + right[rightAt + i + RUN] + delta * delta * before * added / all;
    }
  }
}
