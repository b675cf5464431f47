package org.sparkcollectives.internal.calibrate;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
import org.sparkcollectives.testing.DelayingMesh;
import org.sparkcollectives.transport.Transport;

/** Calibration by the engine, over links that hold every byte back in virtual time. */
@Timeout(120)
class StopwatchTest {
  private static final LevelCost NEAR = new LevelCost(20_000, 1);
  private static final LevelCost FAR = new LevelCost(2e6, 20);

  @Test
  void whatLinksHoldBackIsFound() throws Exception {
    CostModel model = measured(List.of("a", "b", "c", "d"));
    assertAlphaAndBeta(FAR, model.network());
    // Links to different peers do not keep one another waiting.
    assertEquals(0.1 * FAR.alphaNanos(), model.network().gapNanos(), 10);
    assertEquals(CostModel.DEFAULT.host(), model.host());
  }

  /** All ranks meet over the slow network before anything is timed within hosts. */
  @Test
  void slowLinksBetweenHostsDoNotShowWithinThem() throws Exception {
    CostModel model = measured(List.of("a", "b", "a", "b", "a", "b", "b"));
    assertAlphaAndBeta(NEAR, model.host());
    assertAlphaAndBeta(FAR, model.network());
    assertEquals(CostModel.DEFAULT.process(), model.process());
  }

  private static void assertAlphaAndBeta(LevelCost known, LevelCost found) {
    String both = known + " " + found;
    assertEquals(known.alphaNanos(), found.alphaNanos(), known.alphaNanos() * 1e-3, both);
    double beta = known.betaNanosPerByte();
    assertEquals(beta, found.betaNanosPerByte(), beta * 1e-3, both);
  }

  private static CostModel measured(List<String> hosts) throws Exception {
    List<Calibration> found = new ArrayList<>();
    DelayingMesh mesh = new DelayingMesh(hosts, NEAR, FAR);
    List<Transport> transports = mesh.transports();
    ExecutorService threads = Executors.newFixedThreadPool(hosts.size());
    try {
      List<Future<Calibration>> futures = new ArrayList<>();
      for (Transport transport : transports) {
        futures.add(threads.submit(() -> calibrate(transport, mesh)));
      }
      for (Future<Calibration> future : futures) {
        found.add(future.get(100, TimeUnit.SECONDS));
      }
    } finally {
      transports.forEach(Transport::close);
      threads.shutdownNow();
    }
    assertEquals(1, found.stream().distinct().count(), found.toString());
    return found.get(0).model();
  }

  private static Calibration calibrate(Transport transport, DelayingMesh mesh) {
    try (Communicator communicator = new Communicator(transport, CommunicatorOptions.DEFAULT)) {
      Stopwatch stopwatch = new Stopwatch(communicator, 2, Duration.ofMillis(300), mesh::nanoTime);
      return Calibration.measure(communicator, "test", stopwatch, step -> {});
    } catch (RuntimeException e) {
      transport.close(); // the others need not wait
      throw e;
    }
  }
}
