package org.sparkcollectives.ml.internal.training;

import static org.junit.jupiter.api.Assertions.assertEquals;

import breeze.linalg.DenseVector;
import breeze.optimize.FirstOrderMinimizer;
import breeze.optimize.LBFGS;
import breeze.optimize.LBFGSB;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.ml.internal.bridge.DenseVectors;
import org.sparkcollectives.ml.internal.minimizer.Optimizer;

/** Which vectors are divided. */
@Timeout(60)
class PlacingTest {
  private static final FirstOrderMinimizer<?, ?> LBFGS =
      new LBFGS<DenseVector<Object>>(9, 10, 1e-6, DenseVector.space_Double());

  @Test
  void longOnesAreAsTheyAreAskedTo() {
    expect(true, Placing.AUTO, LBFGS, 1_000_000, 4);
    expect(false, Placing.WHOLE, LBFGS, 1_000_000, 4);
    expect(true, Placing.DIVIDED, LBFGS, 3, 4);
    expect(true, Placing.DIVIDED, LBFGS, 3, 1);
  }

  @Test
  void shortOnesAndThoseOfOneRankAreNot() {
    expect(false, Placing.AUTO, LBFGS, 99_999, 4);
    expect(false, Placing.AUTO, LBFGS, 1_000_000, 1);
  }

  @Test
  void thoseOfBoundedOptimisersCannotBe() {
    DenseVector<Object> bound = DenseVectors.over(new double[] {1});
    LBFGSB bounded = new LBFGSB(bound, bound, 9, 10, 1e-6, 64, 64);
    expect(false, Placing.DIVIDED, bounded, 1_000_000, 4);
  }

  private static void expect(
      boolean divided,
      Placing placing,
      FirstOrderMinimizer<?, ?> minimizer,
      int length,
      int ranks) {
    Optimizer optimizer = Optimizer.of(minimizer).orElseThrow();
    assertEquals(
        Collections.nCopies(ranks, divided),
        Group.threads(
            ranks,
            CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(30)),
            communicator -> placing.divides(communicator, optimizer, length)));
  }
}
