package org.sparkcollectives.internal.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.cost.ClosedForm;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.testing.DelayingMesh;
import org.sparkcollectives.transport.Transport;
import org.sparkcollectives.vector.ReduceOp;

/** Pipelines where a message takes three times as long to arrive as to send, in virtual time. */
@Timeout(120)
final class LatencyTest {
  private static final int BLOCKS = 40;
  private static final int ELEMENTS = 64 * BLOCKS;
  private static final double BETA = 1000;
  private static final double ALPHA = 3 * BETA * Double.BYTES * ELEMENTS / BLOCKS;

  /** Executed with slack they take no longer than their price; else latencies add up. */
  @ParameterizedTest
  @CsvSource({"BROADCAST", "REDUCE", "ALLREDUCE", "SCAN", "EXSCAN"})
  void twoTreesTakeTheirPrice(Collective collective) throws Exception {
    Algorithm twoTree = Algorithms.find(collective, "two-tree");
    for (int size : new int[] {5, 8, 13, 16}) {
      Problem problem = new Problem(collective, size, 0, BLOCKS, true);
      CostModel model = CostModel.uniform(new LevelCost(ALPHA, BETA, 1), 0);
      double bytes = (double) Double.BYTES * ELEMENTS / BLOCKS + CostModel.HEADER_BYTES;
      double price =
          new ClosedForm(model, Topology.FLAT, size)
              .nanos(twoTree.phases(problem), twoTree.path(problem, true), bytes, 1);
      double executed = nanos(problem, rank -> twoTree.executed(problem, rank));
      assertTrue(executed <= price, () -> problem + ": " + executed + ", price " + price);
      double claimed = nanos(problem, rank -> twoTree.schedule(problem, rank));
      assertTrue(claimed > 1.2 * executed, () -> problem + ": " + claimed + " and " + executed);
    }
  }

  /** When the last rank has executed its schedule. */
  private static double nanos(Problem problem, IntFunction<Schedule> schedules) throws Exception {
    int size = problem.size();
    LevelCost cost = new LevelCost(ALPHA, BETA);
    List<String> hosts = IntStream.range(0, size).mapToObj(rank -> "host " + rank).toList();
    DelayingMesh mesh = new DelayingMesh(hosts, cost, cost);
    ExecutorService threads = Executors.newFixedThreadPool(size);
    try {
      List<Future<Long>> ends = new ArrayList<>();
      for (Transport transport : mesh.transports()) {
        ends.add(threads.submit(() -> run(problem, schedules, transport, mesh)));
      }
      long last = 0;
      for (Future<Long> end : ends) {
        last = Math.max(last, end.get(60, TimeUnit.SECONDS));
      }
      return last;
    } finally {
      threads.shutdownNow();
    }
  }

  private static long run(
      Problem problem, IntFunction<Schedule> schedules, Transport transport, DelayingMesh mesh) {
    double[] vector = new double[ELEMENTS];
    Arrays.fill(vector, transport.rank());
    ReduceOp<?> op = problem.collective().reducing() ? ReduceOp.SUM : null;
    try (Communicator communicator = new Communicator(transport, CommunicatorOptions.DEFAULT)) {
      communicator.run(schedules.apply(transport.rank()), vector, op);
      return mesh.nanoTime();
    }
  }
}
