package org.sparkcollectives.benchmarks.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class CoefficientsTest {
  @Test
  void fewAreComparedEach() {
    Coefficients base = Coefficients.of(new double[] {3, -4, 0});
    assertEquals(0, Coefficients.of(new double[] {3, -4, 0}).differenceTo(base));
    assertEquals(0.5, Coefficients.of(new double[] {3, -4, 2}).differenceTo(base));
    assertEquals(2, Coefficients.of(new double[] {3, 4, 0}).differenceTo(base));
  }

  @Test
  void ofManyTheNormTellsWhatIsNotKept() {
    double[] all = new Random(1).doubles(50_000, -1, 1).toArray();
    Coefficients base = Coefficients.of(all);
    assertEquals(0, Coefficients.of(all.clone()).differenceTo(base));
    double[] other = all.clone();
    other[1] += 3; // not one of every fifth
    double expected = Math.abs(norm(other) - norm(all)) / norm(all);
    assertTrue(expected > 1e-5, "" + expected);
    assertEquals(expected, Coefficients.of(other).differenceTo(base), 1e-12);
    other[0] += 5;
    assertTrue(Coefficients.of(other).differenceTo(base) > 4.9);
  }

  private static double norm(double[] all) {
    double squares = 0;
    for (double each : all) {
      squares += each * each;
    }
    return Math.sqrt(squares);
  }
}
