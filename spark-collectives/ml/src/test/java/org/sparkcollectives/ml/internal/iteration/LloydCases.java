package org.sparkcollectives.ml.internal.iteration;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.mllib.clustering.VectorWithNorm;
import org.apache.spark.mllib.linalg.Vector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.ml.internal.training.Training;

/** K-means that loses an executor, in the application of another test. */
public abstract class LloydCases {
  protected static final int FEATURES = 8;
  protected static final int ITERATIONS = 12;

  /** Rows of so many features, in two partitions at least. */
  protected abstract JavaRDD<Vector> vectors();

  @Test
  void clustersGoOnWithTheSameBits(@TempDir Path folder) {
    Centres expected = clusters("");
    assertEquals(0, expected.resumedAt());
    assertEquals(ITERATIONS, expected.iteration());
    Centres actual = clusters(folder.resolve("halted").toString());
    assertTrue(folder.resolve("halted").toFile().exists(), "halted");
    assertTrue(actual.resumedAt() > 0, "resumed at " + actual.resumedAt());
    assertArrayEquals(expected.coordinates(), actual.coordinates());
    assertArrayEquals(expected.objective(), actual.objective());
  }

  private Centres clusters(String marker) {
    JavaRDD<VectorWithNorm> points = vectors().map(row -> new VectorWithNorm(row));
    double[][] first = new double[5][FEATURES];
    for (int i = 0; i < first.length; i++) {
      first[i][i] = 0.1;
    }
    Lloyd<VectorWithNorm> program =
        new Lloyd<>(new HaltingAssignment(marker), Centres.of(first), ITERATIONS, null);
    return Training.ran(points.rdd(), program).get(0).state();
  }

  /** Ends the executor of rank 1, once. */
  protected static void halt(String marker) {
    try {
      if (TaskContext.getPartitionId() == 1 && new File(marker).createNewFile()) {
        Runtime.getRuntime().halt(1);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Rows; of rank 1 in the fifth iteration the last. */
  private static final class HaltingAssignment extends ForwardingAssignment {
    @Serial private static final long serialVersionUID = 1L;
    private final String marker;
    private int iteration;

    HaltingAssignment(String marker) {
      this.marker = marker;
    }

    @Override
    public void read(VectorWithNorm element, int index, Point point) {
      if (!marker.isEmpty() && iteration == 4) {
        halt(marker);
      }
      super.read(element, index, point);
    }

    @Override
    public Moved move(int centre, Centres centres, double[] message) {
      iteration = centres.iteration() + 1;
      Moved moved = super.move(centre, centres, message);
      return new Moved(moved.coordinates(), moved.norm(), Double.POSITIVE_INFINITY);
    }
  }
}
