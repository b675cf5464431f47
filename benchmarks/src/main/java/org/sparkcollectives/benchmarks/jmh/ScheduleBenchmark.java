package org.sparkcollectives.benchmarks.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.engine.Program;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;

/** One rank's schedule of an all-reduce by two trees: making it, and making a program of it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ScheduleBenchmark {
  /** The number of ranks; the schedule is that of the middle one. */
  @Param({"8", "1000"})
  public int size;

  /** The number of blocks. */
  @Param({"1", "64"})
  public int blocks;

  private final Algorithm algorithm = Algorithms.find(Collective.ALLREDUCE, "two-tree");
  private Problem problem = new Problem(Collective.ALLREDUCE, 1, 0, 1, true);
  private Schedule schedule = algorithm.schedule(problem, 0);

  /** Makes what is compiled. */
  @Setup
  public void prepare() {
    problem = new Problem(Collective.ALLREDUCE, size, 0, blocks, true);
    schedule = algorithm.schedule(problem, size / 2);
  }

  /**
   * Makes the schedule.
   *
   * @return the schedule
   */
  @Benchmark
  public Schedule construct() {
    return algorithm.schedule(problem, size / 2);
  }

  /**
   * Makes the program.
   *
   * @return the program
   */
  @Benchmark
  public Program compile() {
    return Program.compile(schedule);
  }
}
