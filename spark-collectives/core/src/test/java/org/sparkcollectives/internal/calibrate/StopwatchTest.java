package org.sparkcollectives.internal.calibrate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.transport.Transport;

/** Calibration in real time, over links that hold every byte back. */
@Timeout(120)
class StopwatchTest {
  private static final int RANKS = 4;

  /** So long that what threads wait for a processor is little beside it. */
  private static final double ALPHA = 10e6;

  private static final double BETA = 20;

  @Test
  void whatLinksHoldBackIsFound() throws Exception {
    List<Calibration> found = new ArrayList<>();
    List<Transport> mesh = DelayingMesh.create(RANKS, (long) ALPHA, BETA);
    ExecutorService threads = Executors.newFixedThreadPool(RANKS);
    try {
      List<Future<Calibration>> futures = new ArrayList<>();
      for (Transport transport : mesh) {
        futures.add(threads.submit(() -> calibrate(transport)));
      }
      for (Future<Calibration> future : futures) {
        found.add(future.get(100, TimeUnit.SECONDS));
      }
    } finally {
      mesh.forEach(Transport::close);
      threads.shutdownNow();
    }
    assertEquals(1, found.stream().distinct().count(), found.toString());
    CostModel model = found.get(0).model();
    LevelCost cost = model.network();
    // Messages are never early. A busy machine makes them late, by less than twice their time.
    assertTrue(cost.alphaNanos() > 0.95 * ALPHA && cost.alphaNanos() < 2 * ALPHA, cost.toString());
    assertTrue(
        cost.betaNanosPerByte() > 0.7 * BETA && cost.betaNanosPerByte() < 1.6 * BETA,
        cost.toString());
    // Links to different peers do not keep one another waiting.
    assertTrue(cost.gapNanos() < 0.5 * cost.alphaNanos(), cost.toString());
    assertEquals(CostModel.DEFAULT.host(), model.host());
  }

  private static Calibration calibrate(Transport transport) {
    try (Communicator communicator = new Communicator(transport, CommunicatorOptions.DEFAULT)) {
      Stopwatch stopwatch = new Stopwatch(communicator, 2, Duration.ofMillis(300));
      return Calibration.measure(communicator, "test", stopwatch);
    } catch (RuntimeException e) {
      transport.close(); // the others need not wait
      throw e;
    }
  }
}
