package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkcollectives.internal.algorithm.pattern.EvenParts;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.internal.conformance.Sweep;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.verify.Verification;

/** What holds for every algorithm of the registry beyond being right on the problems of a sweep. */
final class ExampleSchedulesTest {
  private static final int MAX_SIZE = 64;

  static List<Algorithm> algorithms() {
    return Algorithms.all();
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void isCorrectForItsNaturalBlocks(Algorithm algorithm) {
    for (int size = 1; size <= MAX_SIZE; size++) {
      Problem problem = Sweep.example(algorithm, size);
      Verification report = Conformance.verify(algorithm, problem);
      assertTrue(report.isCorrect(), () -> algorithm + ", " + problem + "\n" + report);
    }
  }

  /** Why {@link Sweep#problems} has problems of these collectives with order alone. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void orderMakesNoDifferenceUnlessSweepsTakeBoth(Algorithm algorithm) {
    if (Sweep.ordersDiffer(algorithm.collective())) {
      assertTrue(algorithm.collective().reducing(), algorithm + " combines");
      return;
    }
    if (!algorithm.collective().reducing()) {
      assertFalse(Sweep.example(algorithm, MAX_SIZE).ordered(), algorithm + " combines nothing");
      return;
    }
    for (int size = 1; size <= MAX_SIZE; size++) {
      assertSameInBothOrders(algorithm, Sweep.example(algorithm, size));
    }
    for (int size = 1; size <= 12; size++) {
      Sweep.problems(algorithm, size).stream()
          .filter(Problem::ordered)
          .forEach(problem -> assertSameInBothOrders(algorithm, problem));
    }
  }

  private static void assertSameInBothOrders(Algorithm algorithm, Problem ordered) {
    Problem unordered =
        new Problem(
            ordered.collective(),
            ordered.size(),
            ordered.root(),
            ordered.blocks(),
            false,
            ordered.topology(),
            ordered.parts());
    assertTrue(ordered.ordered(), () -> algorithm + ", " + ordered);
    assertEquals(Conformance.claims(algorithm, ordered), Conformance.claims(algorithm, unordered));
    for (int rank = 0; rank < ordered.size(); rank++) {
      assertEquals(
          algorithm.schedule(ordered, rank).rounds(),
          algorithm.schedule(unordered, rank).rounds(),
          algorithm + " on rank " + rank + " for " + ordered);
    }
  }

  /** The scratch memory that the class headers promise; vectors are long where it matters. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void carriesFewScratchBlocks(Algorithm algorithm) {
    for (int size = 1; size <= 40; size++) {
      Problem example = Sweep.example(algorithm, size);
      boolean alltoall = algorithm.collective() == Collective.ALLTOALL;
      Problem longer = example.withBlocks(7 * size + 3);
      boolean refused = algorithm.refusal(longer) != null;
      Problem problem = alltoall ? example : refused ? example.withBlocks(7 * size) : longer;
      int blocks = problem.blocks();
      int allowed =
          switch (algorithm.toString()) {
            case "exscan/simultaneous-binomial", "exscan/binomial" -> blocks;
            case "exscan/pipelined-binary-tree" -> blocks + 2;
            case "scan/hierarchical" -> blocks;
            case "exscan/hierarchical" -> 2 * blocks;
            case "scan/pipelined-binary-tree",
                "scan/doubly-pipelined-binary-tree",
                "scan/tree-of-host-trees",
                "scan/tree-of-first-ranks" ->
                1;
            case "exscan/doubly-pipelined-binary-tree",
                "exscan/tree-of-host-trees",
                "exscan/tree-of-first-ranks" ->
                3 * (32 - Integer.numberOfLeadingZeros(size));
            case "scan/two-tree-simplex" -> 2;
            case "exscan/two-tree-simplex", "exscan/two-tree" ->
                3 * (32 - Integer.numberOfLeadingZeros(size));
            case "scan/two-tree" -> 2;
            case "reduce/fractional-tree", "exscan/linear-pipeline" -> 1;
            case "alltoall/hierarchical" -> 2 * size;
            case "alltoall/bruck" -> (int) (size + 1 - 2 * Math.sqrt(size));
            case "reduce_scatter/pairwise" -> EvenParts.largest(blocks, size);
            default -> 0;
          };
      for (Schedule schedule : Conformance.schedules(algorithm, problem)) {
        int carried = ScratchBlocks.carried(schedule);
        assertTrue(
            carried <= allowed,
            () -> algorithm + ", " + problem + " carries " + carried + " blocks");
      }
    }
  }
}
