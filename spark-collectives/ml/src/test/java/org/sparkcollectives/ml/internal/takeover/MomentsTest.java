package org.sparkcollectives.ml.internal.takeover;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.stat.Summarizer$;
import org.apache.spark.ml.stat.SummarizerBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.ml.internal.rows.Support;
import scala.jdk.javaapi.CollectionConverters;

/** Summaries merged as tuples, beside the same merged by MLlib. */
@Tag("cross-version")
class MomentsTest {
  private static final int RANKS = 5;

  /** A feature that has the same value in all rows. */
  private static final int CONSTANT = 2;

  private static SummarizerBuffer summary(String... wanted) {
    return Summarizer$.MODULE$.createSummarizerBuffer(
        CollectionConverters.asScala(List.of(wanted)).toSeq());
  }

  private static SummarizerBuffer moments() {
    return summary("mean", "std", "count");
  }

  private static Vector row(SplittableRandom random, int features, boolean sparse) {
    double[] values = random.doubles(features, -5, 90).toArray();
    for (int j = 0; sparse && j < features; j++) {
      values[j] = random.nextInt(3) == 0 ? values[j] : 0;
    }
    values[CONSTANT] = 0.5; // a power of two, whose mean no weight rounds
    return sparse ? Vectors.dense(values).toSparse() : Vectors.dense(values);
  }

  /** What ranks have: the third nothing; the same each time. */
  private static List<SummarizerBuffer> ofRanks(int features) {
    SplittableRandom random = new SplittableRandom(features);
    List<SummarizerBuffer> all = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      SummarizerBuffer own = moments();
      for (int i = 0; rank != 2 && i < 20; i++) {
        own.add(row(random, features, rank % 2 == 1), random.nextDouble(0.01, 3));
      }
      all.add(own);
    }
    return all;
  }

  @ParameterizedTest
  @ValueSource(ints = {3, Moments.RUN - 1, Moments.RUN, Moments.RUN + 1, 1000})
  void mergedAsByMllib(int features) {
    SummarizerBuffer expected = moments();
    ofRanks(features).forEach(expected::merge);

    SummarizerBuffer all = moments();
    double[] tuples = Moments.taken(moments(), features, null);
    for (SummarizerBuffer own : ofRanks(features)) {
      double[] added = Moments.taken(own, features, null);
      Moments.MERGE.combine(added, 0, tuples, 0, tuples, 0, tuples.length);
      assertEquals(0, Moments.features(own));
      all.merge(own);
    }
    int cut = tuples.length / 2 / (2 * Moments.RUN + 1) * (2 * Moments.RUN + 1);
    double[][] parts = {
      Arrays.copyOf(tuples, cut), Arrays.copyOfRange(tuples, cut, tuples.length), {}
    };
    Moments.put(all, features, null, parts);

    assertEquals(expected.count(), all.count());
    assertEquals(expected.weightSum(), all.weightSum());
    assertArrayEquals(expected.mean().toArray(), all.mean().toArray(), 1e-12);
    assertArrayEquals(expected.std().toArray(), all.std().toArray(), 1e-12);
    assertEquals(0, expected.std().apply(CONSTANT));
    assertEquals(0, all.std().apply(CONSTANT), "what is close to 0 would be divided by");
  }

  @Test
  void ofFeaturesThatSomeRowHas() {
    int features = 20_000;
    SplittableRandom random = new SplittableRandom(8);
    int[] places = random.ints(100, 0, features).distinct().sorted().toArray();
    SummarizerBuffer expected = moments();
    List<SummarizerBuffer> all = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      SummarizerBuffer own = moments();
      for (int i = 0; i < 10; i++) {
        double[] values = random.doubles(places.length, -2, 5).toArray();
        Vector row = Vectors.sparse(features, places, values);
        own.add(row, 1 + i);
        expected.add(row, 1 + i);
      }
      assertArrayEquals(places, Moments.present(own).stream().toArray());
      all.add(own);
    }
    List<double[]> parts = Group.threads(RANKS, CommunicatorOptions.DEFAULT, c -> part(c, all));
    SummarizerBuffer found = moments();
    all.forEach(found::merge);
    Moments.put(found, features, places, parts.toArray(double[][]::new));
    assertArrayEquals(expected.mean().toArray(), found.mean().toArray(), 1e-12);
    assertArrayEquals(expected.std().toArray(), found.std().toArray(), 1e-12);
  }

  private static double[] part(Communicator communicator, List<SummarizerBuffer> all) {
    SummarizerBuffer own = all.get(communicator.rank());
    int features = Moments.features(own);
    Support support = Support.ofFeatures(communicator, () -> Moments.present(own), features);
    double[] tuples = Moments.taken(own, features, requireNonNull(support));
    assertTrue(tuples.length < features / 10, "numbers: " + tuples.length);
    return communicator.reduceScatter(tuples, Moments.MERGE);
  }

  @Test
  void ofNoRowsNothing() {
    double[] tuples = Moments.taken(moments(), 40, null);
    assertArrayEquals(new double[2 * (2 * Moments.RUN + 1)], tuples);
    assertEquals(0, Moments.taken(moments(), 0, null).length);
  }

  @Test
  void aSummaryOfMoreIsNoneOfMoments() {
    assertTrue(Moments.areAll(moments()));
    assertFalse(Moments.areAll(summary("mean", "std", "max")));
    assertFalse(Moments.areAll(new SummarizerBuffer()));
  }
}
