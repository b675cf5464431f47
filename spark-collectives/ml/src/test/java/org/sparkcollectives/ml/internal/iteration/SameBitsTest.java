package org.sparkcollectives.ml.internal.iteration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.Serial;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.mllib.clustering.VectorWithNorm;
import org.apache.spark.mllib.feature.VocabWord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.ml.internal.bridge.HereBroadcast;
import org.sparkcollectives.ml.internal.rows.PartitionRows;
import org.sparkcollectives.spark.CollectiveFunction;
import scala.Tuple2;

/** Iterations of ranks of which one computes other bits: an error on every rank, and no result. */
@Timeout(120)
final class SameBitsTest {
  private static final CommunicatorOptions OPTIONS =
      CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(30));
  private static final int RANKS = 4;
  private static final int FEATURES = 3;

  /** The rank that is not as others are. */
  private static final int OTHER = 2;

  @Test
  void centresThatMoveToOtherPlaces() {
    List<VectorWithNorm> rows =
        new Random(1)
            .doubles(20 * FEATURES)
            .boxed()
            .map(x -> new VectorWithNorm(org.apache.spark.mllib.linalg.Vectors.dense(x, x, -x)))
            .toList();
    Centres start = Centres.of(new double[][] {{0.2, 0.2, -0.2}, {0.8, 0.8, -0.8}});
    disagree(
        "centres than rank 0 in iteration 2",
        rows,
        rank -> new Lloyd<>(new NextDoor(rank == OTHER), start, 5, null));
  }

  @Test
  void distributions() {
    List<Tuple2<Vector, Object>> rows =
        new Random(2)
            .doubles(20)
            .boxed()
            .<Tuple2<Vector, Object>>map(x -> new Tuple2<>(Vectors.dense(x, x * x, 1 - x), 1.0))
            .toList();
    disagree(
        "distributions than rank 0 in iteration 1",
        rows,
        rank -> {
          double[][] mean = {{rank == OTHER ? Math.nextUp(0.5) : 0.5, 0.3, 0.5}};
          double[][] covariance = {{1, 0, 1, 0, 0, 1}};
          Mixture start = Mixture.of(new double[] {1}, mean, covariance);
          return new ExpectationMaximization(start, 5, 0, null);
        });
  }

  @Test
  void vectorsOfWords() {
    VocabWord[] words = {
      new VocabWord("a", 2, new int[] {0}, new int[] {0}, 1),
      new VocabWord("b", 1, new int[] {0}, new int[] {1}, 1)
    };
    List<PartitionRows<int[]>> partition =
        List.of(new PartitionRows<>(0, List.of(new int[] {0, 1, 0})));
    disagree(
        "vectors than rank 0 in iteration 1",
        partition,
        rank ->
            new WordVectorProgram(
                new SkipGrams(2, 3, FEATURES, 10, 2, 0.05, 1, 2, rank == OTHER ? 8 : 7),
                new HereBroadcast<>(words),
                new HereBroadcast<>(new float[1000]),
                null));
  }

  private static <T, R> void disagree(
      String message, List<T> rows, IntFunction<CollectiveFunction<T, R>> programs) {
    List<String> errors =
        Group.threads(
            RANKS,
            OPTIONS,
            communicator -> {
              CollectiveFunction<T, R> program = programs.apply(communicator.rank());
              CollectiveException error =
                  assertThrows(
                      CollectiveException.class, () -> program.call(communicator, rows.iterator()));
              return String.valueOf(error.getMessage()).replaceFirst(":.*", "");
            });
    String expected = "ranks [" + OTHER + "] are at other " + message;
    assertEquals(Collections.nCopies(RANKS, expected), errors);
  }

  /** Rows, and centres that move a bit too far. */
  private static final class NextDoor extends ForwardingAssignment {
    @Serial private static final long serialVersionUID = 1L;
    private final boolean far;

    NextDoor(boolean far) {
      this.far = far;
    }

    @Override
    public Moved move(int centre, Centres centres, double[] message) {
      Moved moved = super.move(centre, centres, message);
      double[] coordinates = moved.coordinates().clone();
      if (far && centre == 1) {
        coordinates[0] = Math.nextUp(coordinates[0]);
      }
      return new Moved(coordinates, moved.norm(), moved.distance());
    }
  }
}
