package org.sparkcollectives.ml.internal.iteration;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.mllib.clustering.VectorWithNorm;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.ml.internal.state.Checkpoints;

/** K-means that finds states in a folder, without Spark. */
@Timeout(60)
class LloydFolderTest {
  private static final CommunicatorOptions OPTIONS =
      CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(30));

  private static final double TOLERANCE = 1e-4;

  @TempDir private Path folder;

  /** The cost of such centres is 0, whatever they are. */
  @Test
  void centresThatAreAllRowsDoNotGoOnFromThoseOfOtherRows() {
    double[][] rows = {{1, 2}, {3, 4}};
    double[][] turned = {{3, 4}, {1, 2}};
    double[][] others = {{-1, -2}, {-3, -4}};
    double[][] shorter = {{1}, {3}};
    assertArrayEquals(rows[0], clusters(rows, rows).centre(0));
    assertArrayEquals(rows[0], clusters(turned, rows).centre(0)); // as the state has it
    for (double[][] other : List.of(others, shorter, rows)) {
      Centres found = clusters(other, other);
      assertEquals(1, found.iteration());
      assertArrayEquals(other[1], found.centre(1));
    }
  }

  @Test
  void fewerIterationsThanBeforeAreNotMore() {
    double[][] rows = {{0}, {1}, {2}, {3}, {10}, {11}, {12}, {30}};
    double[][] start = {{0}, {1}};
    int all = clusters(start, rows, 9).iteration();
    for (int most : new int[] {1, all - 1, 1, 9}) {
      assertEquals(Math.min(most, all), clusters(start, rows, most).iteration());
    }
  }

  @Test
  void anotherToleranceGoesOnFromWhatIsThere(@TempDir Path another) {
    double[][] rows = {{0}, {1}, {2}, {3}, {10}, {11}, {12}, {30}};
    double[][] start = {{0}, {1}};
    Centres rough = clusters(folder, start, rows, 9, 6);
    Centres fine = clusters(folder, start, rows, 9, TOLERANCE);
    Centres atOnce = clusters(another, start, rows, 9, TOLERANCE);
    assertEquals(2, rough.iteration());
    assertEquals(2, fine.resumedAt());
    assertEquals(0, atOnce.resumedAt());
    assertArrayEquals(atOnce.objective(), fine.objective());
    assertArrayEquals(atOnce.coordinates(), fine.coordinates());
  }

  @Test
  void aStartReachesNoTolerance() {
    double[][] rows = {{0}, {1}, {2}, {3}, {10}, {11}, {12}, {30}};
    for (double tolerance : new double[] {Double.POSITIVE_INFINITY, Double.MAX_VALUE}) {
      double[][] start = {{0}, {tolerance == Double.MAX_VALUE ? 1 : 2}}; // states of each
      assertEquals(1, clusters(folder, start, rows, 9, tolerance).iteration());
    }
  }

  private Centres clusters(double[][] start, double[][] rows) {
    return clusters(start, rows, 5);
  }

  private Centres clusters(double[][] start, double[][] rows, int most) {
    return clusters(folder, start, rows, most, TOLERANCE);
  }

  private static Centres clusters(
      Path folder, double[][] start, double[][] rows, int most, double tolerance) {
    Checkpoints states = new Checkpoints(folder.toUri().toString(), 1, new Configuration());
    Lloyd<VectorWithNorm> program =
        new Lloyd<>(new RowAssignment("euclidean", tolerance), Centres.of(start), most, states);
    var points = Arrays.stream(rows).map(row -> new VectorWithNorm(Vectors.dense(row))).toList();
    return Group.threads(
            2,
            OPTIONS,
            communicator -> {
              int rank = communicator.rank();
              return program.call(
                  communicator, points.subList(rank, rank == 0 ? 1 : points.size()).iterator());
            })
        .get(0)
        .next()
        .state();
  }
}
