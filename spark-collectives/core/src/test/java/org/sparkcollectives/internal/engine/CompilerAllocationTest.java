package org.sparkcollectives.internal.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.conformance.Sweep;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;

/**
 * What compiling a schedule allocates is a bounded number of bytes for each piece of a message and
 * each block of it, whatever the number of ranks. JaCoCo allocates, too, so this runs without it.
 */
@Tag("plain-jvm")
@Timeout(120)
final class CompilerAllocationTest {
  /** Some objects for each piece of a message, and some numbers for each block. */
  private static final long ALLOWED_PER_PIECE = 800;

  private static final long ALLOWED_PER_BLOCK = 64;
  private static final long ALLOWED_IN_ALL = 4000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @ParameterizedTest
  @MethodSource("org.sparkcollectives.internal.algorithm.Algorithms#all")
  void isBoundedForEveryAlgorithm(Algorithm algorithm) {
    Problem example = Sweep.example(algorithm, 200);
    boolean pipelined = algorithm.naturalBlocks(example.size()) == 0;
    check(algorithm, pipelined ? example.withBlocks(500) : example);
  }

  @Test
  void isBoundedForAMessageOfThousandsOfPieces() {
    int size = 4000;
    Problem problem = new Problem(Collective.ALLTOALL, size, 0, size * size, false);
    check(Algorithms.find(Collective.ALLTOALL, "bruck"), problem);
  }

  private static void check(Algorithm algorithm, Problem problem) {
    Schedule schedule = algorithm.executed(problem, problem.size() / 3);
    Program.compile(schedule, Pace.ROUNDS); // loads classes
    long before = THREADS.getCurrentThreadAllocatedBytes();
    Program program = Program.compile(schedule, Pace.ROUNDS);
    long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
    long pieces = (long) program.sends().size() + program.stages().size();
    long blocks = problem.collective() == Collective.ALLTOALL ? 0 : problem.blocks();
    for (Program.Out send : program.sends()) {
      blocks += send.to() - send.from();
    }
    for (Program.Stage stage : program.stages()) {
      blocks += stage.to() - stage.from();
    }
    assertTrue(
        bytes <= ALLOWED_IN_ALL + ALLOWED_PER_PIECE * pieces + ALLOWED_PER_BLOCK * blocks,
        bytes + " bytes for " + pieces + " pieces of " + blocks + " blocks");
  }
}
