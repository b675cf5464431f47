package org.sparkcollectives.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sparkcollectives.transport.Failures.assertSays;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.conformance.Sweep;
import org.sparkcollectives.internal.transport.RandomLinks;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Seed;
import org.sparkcollectives.transport.Transport;
import org.sparkcollectives.vector.ReduceOp;

/** Every registered algorithm over links of a provider that the library does not know. */
@Timeout(240)
final class OwnProviderTest {
  private static final int[] SIZES = {2, 5, 8};
  private static final int MOST_BYTES = 20_000;
  private static final int ELEMENTS = 40;

  private static Stream<DynamicTest> forEach(Trial trial) {
    long seed = Long.getLong("test.seed", System.nanoTime());
    return Algorithms.all().stream()
        .map(
            a ->
                DynamicTest.dynamicTest(
                    a.collective().slug() + " " + a.slug() + " -Dtest.seed=" + seed,
                    () -> trial.run(a, seed)));
  }

  private interface Trial {
    void run(Algorithm algorithm, long seed) throws Exception;
  }

  @TestFactory
  Stream<DynamicTest> runsOverLinksThatSplitAndDelay() {
    return forEach(
        (algorithm, seed) -> {
          for (int size : SIZES) {
            EveryAlgorithmRunsTest.checkTiny(
                algorithm, size, ranks -> RandomLinks.mesh(ranks, seed, RandomLinks.UNBROKEN));
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> runsWhereTheFirstProviderReachesSomeRanksOnly() {
    return forEach(
        (algorithm, seed) ->
            EveryAlgorithmRunsTest.checkTiny(
                algorithm, 5, ranks -> RandomLinks.meshWithRings(ranks, seed)));
  }

  @TestFactory
  Stream<DynamicTest> endsWithAClearMessageOnAllRanksWhenLinksBreak() {
    return forEach(
        (algorithm, seed) -> {
          Problem problem = Sweep.example(algorithm, 5);
          int size = problem.size();
          long bytes = new SplittableRandom(seed).nextLong(1, MOST_BYTES);
          List<CollectiveException> failures =
              Ranks.run(
                  RandomLinks.mesh(size, seed, bytes),
                  transport -> runUntilItFails(algorithm, problem, transport));
          assertEquals(size, failures.size());
          for (int rank = 0; rank < size; rank++) {
            CollectiveException failure = failures.get(rank);
            assertInstanceOf(RankFailedException.class, failure);
            assertSays(failure, "broke off on rank " + rank);
            assertSays(failure, algorithm.slug());
            assertInstanceOf(IOException.class, failure.getCause());
          }
        });
  }

  private static CollectiveException runUntilItFails(
      Algorithm algorithm, Problem problem, Transport transport) {
    ReduceOp<?> op = algorithm.collective().reducing() ? ReduceOp.SUM : null;
    Program program = Program.compile(algorithm.executed(problem, transport.rank()));
    Engine engine = Engines.plain();
    Deadline deadline = Deadline.after(Duration.ofSeconds(60));
    for (int sequence = 1; ; sequence++) {
      int elements = algorithm.collective() == Collective.BARRIER ? 0 : ELEMENTS;
      Vector vector = Vector.of(new double[elements * problem.blocks()]);
      try {
        engine.run(
            new Operation(program, vector, op, sequence, transport, deadline, Cancellation.NONE));
      } catch (CollectiveException e) {
        transport.close();
        return e;
      }
    }
  }

  @Test
  void theFirstProviderThatReachesThePeerOpensTheLink() {
    Seed.run(
        OwnProviderTest.class,
        seed -> {
          List<Transport> mesh = RandomLinks.meshWithRings(3, seed);
          Deadline deadline = Deadline.after(Duration.ofSeconds(30));
          Link own = mesh.get(0).link(1, deadline, Cancellation.NONE);
          Link ring = mesh.get(0).link(2, deadline, Cancellation.NONE);
          assertFalse(own.inPlace());
          assertTrue(ring.inPlace());
          mesh.forEach(Transport::close);
        });
  }
}
