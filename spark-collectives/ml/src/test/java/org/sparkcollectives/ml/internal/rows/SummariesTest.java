package org.sparkcollectives.ml.internal.rows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.stat.MultiClassSummarizer;
import org.apache.spark.ml.stat.Summarizer$;
import org.apache.spark.ml.stat.SummarizerBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Summaries of rows on several ranks against MLlib's summarizers of all of them. */
@Timeout(60)
@Tag("cross-version")
class SummariesTest {
  private static final CommunicatorOptions OPTIONS =
      CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(30));
  private static final Seq<String> METRICS =
      CollectionConverters.asScala(List.of("mean", "std", "count")).toSeq();
  private static final int FEATURES = 12;
  private static final long BLOCK = 2000; // of some ten rows

  @Test
  void areThoseOfMllib() {
    for (int ranks : new int[] {1, 3, 4}) {
      for (RowKind kind : RowKind.values()) {
        List<List<Instance>> dealt =
            dealt(ranks).stream()
                .map(rows -> rows.stream().map(row -> as(kind, row)).toList())
                .toList();
        areThoseOfMllib(dealt, kind);
        areThoseOfMllib(
            dealt.stream().map(rows -> rows.stream().map(SummariesTest::among).toList()).toList(),
            kind);
      }
    }
  }

  /** The same row, with many features that no row has. */
  private static Instance among(Instance row) {
    int[] indices = IntStream.range(0, FEATURES).map(j -> j * 1000 + j).toArray();
    Vector features = Vectors.sparse(Support.LEAST + 3000, indices, row.features().toArray());
    return new Instance(row.label(), row.weight(), features);
  }

  private static void areThoseOfMllib(List<List<Instance>> dealt, RowKind kind) {
    SummarizerBuffer features = Summarizer$.MODULE$.createSummarizerBuffer(METRICS);
    SummarizerBuffer label = Summarizer$.MODULE$.createSummarizerBuffer(METRICS);
    MultiClassSummarizer classes = new MultiClassSummarizer();
    for (Instance row : dealt.stream().flatMap(List::stream).toList()) {
      double weight = kind == RowKind.LIFETIMES ? 1 : row.weight();
      features.add(row.features(), weight);
      label.add(Vectors.dense(row.label(), new double[0]), weight);
      classes.add(row.label(), weight);
    }
    for (Summary summary : summaries(dealt, kind)) {
      assertEquals(features.count(), summary.facts().count());
      near(new double[] {features.weightSum()}, new double[] {summary.facts().weight()});
      near(features.mean().toArray(), ofAll(summary, summary.means()));
      near(features.std().toArray(), ofAll(summary, summary.deviations()));
      assertEquals(features.mean().size(), summary.facts().features());
      near(label.mean().toArray(), new double[] {summary.facts().labelMean()});
      near(label.std().toArray(), new double[] {summary.facts().labelDeviation()});
      near(kind.hasClasses() ? classes.histogram() : new double[0], summary.facts().histogram());
    }
  }

  private static double[] ofAll(Summary summary, double[] numbers) {
    Support support = summary.support();
    assertEquals(summary.facts().features() > FEATURES, support != null);
    return support == null ? numbers : support.part(numbers, 0, support.length());
  }

  @Test
  void whatNeverChangesHasADeviationOfExactlyZero() {
    List<List<Instance>> dealt = new ArrayList<>();
    Random random = new Random(5);
    for (int rank = 0; rank < 3; rank++) {
      List<Instance> rows = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        double weight = i % 7 == 0 ? 0 : random.nextDouble();
        double noise = weight == 0 ? random.nextDouble() : 0; // in rows that do not count
        Vector features =
            Vectors.dense(new double[] {0.1 + noise, 1e9 / 3, noise, random.nextDouble()});
        rows.add(new Instance(0.7 + noise, weight, i % 2 == 0 ? features : features.toSparse()));
      }
      dealt.add(rows);
    }
    for (Summary summary : summaries(dealt, RowKind.NUMBERS)) {
      assertArrayEquals(new double[3], Arrays.copyOf(summary.deviations(), 3));
      assertArrayEquals(new double[] {0.1, 1e9 / 3, 0}, Arrays.copyOf(summary.means(), 3));
      assertEquals(0, summary.facts().labelDeviation());
      assertEquals(0.7, summary.facts().labelMean());
    }
  }

  @Test
  void aSpreadThatIsSmallBesideTheMeanIsKept() {
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      rows.add(new Instance(0, 1, Vectors.dense(1e9 + i % 2, new double[0])));
    }
    Summary summary = summaries(List.of(rows, rows), RowKind.NUMBERS).get(0);
    assertEquals(1e9 + 0.5, summary.means()[0]);
    assertEquals(Math.sqrt(0.25 * 200 / 199), summary.deviations()[0], 1e-15);
  }

  @Test
  void thereIsNoneOfNothing() {
    Instance nothing = new Instance(1, 0, Vectors.dense(1, new double[0]));
    assertNull(summaries(List.of(List.of(), List.of(nothing)), RowKind.CLASSES).get(0));
  }

  @Test
  void thereIsNoneOfRowsOfDifferentLengths() {
    Instance shorter = new Instance(1, 1, Vectors.dense(1, new double[0]));
    Instance longer = new Instance(1, 1, Vectors.dense(1, new double[] {2}));
    assertNull(summaries(List.of(List.of(shorter), List.of(longer)), RowKind.CLASSES).get(0));
  }

  @Test
  void thereIsNoneOfRowsThatCannotBeTrainedWith() {
    Instance good = new Instance(1, 1, Vectors.dense(2, new double[] {3}));
    Vector shorter = Vectors.dense(1, new double[0]);
    for (RowKind kind : RowKind.values()) {
      for (Instance bad :
          List.of(
              new Instance(Double.NaN, 1, good.features()),
              new Instance(1, -1, good.features()),
              new Instance(1, 1, null),
              new Instance(1, 1, Vectors.zeros(0)),
              new Instance(1, 1, Vectors.dense(Double.NaN, new double[] {3})))) {
        assertNone(List.of(List.of(good), List.of(good, bad, good)), kind);
        assertNone(List.of(List.of(bad, good), List.of(good)), kind);
        assertNone(List.of(List.of(), List.of(bad)), kind);
      }
      assertNone(List.of(List.of(good), List.of(good, new Instance(1, 1, shorter))), kind);
      assertNotNull(summaries(List.of(List.of(good)), kind).get(0), kind.name());
    }
  }

  /** On all ranks, whichever of them has the number. */
  @Test
  void thereIsNoneOfAFeatureWhoseSquaresAreInfinite() {
    Instance good = new Instance(1, 1, Vectors.dense(2, new double[] {3}));
    for (RowKind kind : RowKind.values()) {
      for (double huge : new double[] {1e160, -1e300, Double.MAX_VALUE}) {
        Instance bad = new Instance(1, 1, Vectors.dense(3, new double[] {huge}));
        assertNone(List.of(List.of(good), List.of(good, bad)), kind);
        assertNone(List.of(List.of(bad), List.of(), List.of(good)), kind);
      }
      Vector sparse = Vectors.sparse(Support.LEAST + 3, new int[] {7}, new double[] {1e160});
      Vector zeros = Vectors.sparse(sparse.size(), new int[0], new double[0]);
      List<Instance> among = List.of(new Instance(1, 1, sparse), new Instance(1, 1, zeros));
      assertNone(List.of(among, List.of()), kind);
      Instance large = new Instance(1, 1, Vectors.dense(3, new double[] {1e150}));
      assertNotNull(summaries(List.of(List.of(good), List.of(large)), kind).get(0));
    }
  }

  private static void assertNone(List<List<Instance>> rows, RowKind kind) {
    for (Summary summary : summaries(rows, kind)) {
      assertNull(summary, () -> kind + ": " + rows);
    }
  }

  @Test
  void scalesRowsWhereTheyLie() {
    Instance dense = new Instance(1, 1, Vectors.dense(2, new double[] {3, 5}));
    Instance sparse = new Instance(1, 1, Vectors.sparse(3, new int[] {2}, new double[] {7}));
    for (List<Instance> rows : List.of(List.of(dense), List.of(sparse, sparse))) {
      RankRows scaled = RankRows.of(rows.iterator(), BLOCK, RowKind.CLASSES);
      scaled.scale(new double[] {0.5, 0, 10});
      InstanceBlock block = scaled.blocks().get(0);
      double[] expected = rows.size() == 1 ? new double[] {1, 0, 50} : new double[] {0, 0, 70};
      Vector first = CollectionConverters.asJava(block.matrix().rowIter()).next();
      assertArrayEquals(expected, first.toArray());
    }
    assertEquals(3, dense.features().apply(1), "the row itself");
  }

  private static List<Summary> summaries(List<List<Instance>> dealt, RowKind kind) {
    return Group.<@Nullable Summary>threads(
        dealt.size(),
        OPTIONS,
        communicator ->
            Summaries.of(
                communicator,
                RankRows.of(dealt.get(communicator.rank()).iterator(), BLOCK, kind),
                true));
  }

  /** A row as a kind has them. */
  private static Instance as(RowKind kind, Instance row) {
    return switch (kind) {
      case CLASSES, NUMBERS -> row;
      case TWO_CLASSES -> new Instance(row.label() % 2, row.weight(), row.features());
      case LIFETIMES -> new Instance(row.label() + 1, Math.ceil(row.weight() / 2), row.features());
    };
  }

  /** Rows of all kinds; the first of several ranks has some without weight, the second none. */
  private static List<List<Instance>> dealt(int ranks) {
    Random random = new Random(11);
    List<List<Instance>> dealt = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      List<Instance> rows = new ArrayList<>();
      for (int i = 0; i < (rank == 1 ? 0 : 100); i++) {
        double[] x = new double[FEATURES];
        x[0] = 1e3 + random.nextGaussian();
        x[1] = i % 3 == 0 ? random.nextGaussian() : 0;
        for (int j = 3; j < FEATURES; j++) {
          x[j] = random.nextInt(6) == 0 ? random.nextDouble() - 0.2 : 0;
        }
        boolean weightless = i % 5 == 0 || (ranks > 1 && rank == 0 && i < 40);
        Vector features = i % 2 == 0 ? Vectors.dense(x) : Vectors.dense(x).toSparse();
        rows.add(
            new Instance(random.nextInt(3), weightless ? 0 : 0.1 + random.nextDouble(), features));
      }
      dealt.add(rows);
    }
    return dealt;
  }

  private static void near(double[] expected, double[] actual) {
    assertEquals(expected.length, actual.length);
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], actual[i], 1e-12 * Math.max(1, Math.abs(expected[i])));
    }
  }
}
