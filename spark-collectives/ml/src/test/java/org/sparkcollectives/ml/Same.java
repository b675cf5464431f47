package org.sparkcollectives.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.apache.spark.ml.linalg.Vector;

/** Numbers that differ by rounding alone. */
final class Same {
  private static final double TOLERANCE = 1e-8;

  private Same() {}

  static void coefficients(Vector expected, Vector actual) {
    numbers(expected.toArray(), actual.toArray());
  }

  /** Of as many numbers, to 1e-8 of the largest. */
  static void numbers(double[] expected, double[] actual) {
    assertEquals(expected.length, actual.length, "numbers");
    double largest = Arrays.stream(expected).map(Math::abs).max().orElse(0);
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], actual[i], TOLERANCE * largest, "number " + i);
    }
  }

  /** Histories of as many iterations, of more than two. */
  static void histories(double[] expected, double[] actual) {
    assertTrue(expected.length > 3, "iterations: " + expected.length);
    numbers(expected, actual);
  }
}
