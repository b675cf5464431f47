package org.sparkcollectives.ml.internal.iteration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.sparkcollectives.error.InvalidInputException;

final class MixtureTest {
  private static Mixture after(double... likelihoods) {
    double[][] mean = {{0, 0}};
    double[][] covariance = {{1, 0, 1}};
    return new Mixture(new double[] {1}, mean, covariance, likelihoods, 5, 5, 0);
  }

  @Test
  void convergesWhenTheLikelihoodStays() {
    assertFalse(after().converged(0.1));
    assertFalse(after(-3).converged(0.1));
    assertFalse(after(-3, -2).converged(0.1));
    assertTrue(after(-3, -2, -1.95).converged(0.1));
  }

  /** MLlib's loop ends there too. */
  @Test
  void endsWithWhatIsNoNumber() {
    assertTrue(after(-3, Double.NaN).converged(0.1));
  }

  @Test
  void hasNoLikelihoodAtTheStart() {
    assertEquals(-Double.MAX_VALUE, after().likelihood());
    assertEquals(-2, after(-3, -2).likelihood());
  }

  /** Numbers of 8 bytes, k (1 + d + d(d+1)/2) of them. */
  @Test
  void aMixtureMustBeSmallerThanAnObjectCanBe() {
    ExpectationMaximization.check(1, 23_000);
    ExpectationMaximization.check(59, 3_000);
    for (int[] large : new int[][] {{1, 23_200}, {60, 3_000}}) {
      InvalidInputException e =
          assertThrows(
              InvalidInputException.class, () -> ExpectationMaximization.check(large[0], large[1]));
      assertTrue(
          e.getMessage().contains(large[0] + " distributions of " + large[1]), e.getMessage());
    }
  }
}
