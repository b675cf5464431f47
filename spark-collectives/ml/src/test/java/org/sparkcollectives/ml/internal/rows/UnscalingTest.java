package org.sparkcollectives.ml.internal.rows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.ml.internal.minimizer.Division;

/** Coefficients of features as they are, made part by part. */
class UnscalingTest {
  private static final int MOST_RANKS = 20;

  @Test
  void partsAreThoseOfTheWhole() {
    Random random = new Random(4);
    for (int features : new int[] {1, 2, 7}) {
      for (int sets : new int[] {1, 3}) {
        for (int others : new int[] {0, 1, 3}) { // intercepts and the like
          double[] means = random.doubles(features, -1, 1).toArray();
          double[] deviations = random.doubles(features, 1, 2).toArray();
          deviations[0] = 0;
          double[] scaled = random.doubles((long) features * sets + others, -1, 1).toArray();
          double[] expected = scaled.clone();
          double[] offsets = new double[sets];
          for (int j = 0; j < features; j++) {
            for (int i = 0; i < sets; i++) {
              int at = j * sets + i;
              expected[at] = deviations[j] == 0 ? 0 : scaled[at] / deviations[j];
              offsets[i] += expected[at] * means[j];
            }
          }
          Summary summary =
              new Summary(
                  means,
                  deviations,
                  new RowFacts(features, 0, 1, 1, 1, new double[0], false),
                  null);
          for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
            double[] found = new double[scaled.length];
            double[] sums = new double[sets];
            for (int rank = 0; rank < ranks; rank++) {
              int first = Division.first(scaled.length, ranks, rank);
              int end = Division.first(scaled.length, ranks, rank + 1);
              double[] part = Arrays.copyOfRange(scaled, first, end);
              double[] more = new Unscaling(summary, sets, first, end - first).unscale(part);
              System.arraycopy(part, 0, found, first, part.length);
              Arrays.setAll(sums, i -> sums[i] + more[i]);
            }
            assertArrayEquals(expected, found, ranks + " ranks");
            for (int i = 0; i < sets; i++) {
              assertEquals(offsets[i], sums[i], 1e-14, ranks + " ranks");
            }
          }
        }
      }
    }
  }
}
