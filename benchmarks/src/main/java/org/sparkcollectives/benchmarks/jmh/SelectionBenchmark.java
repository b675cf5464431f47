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
import org.sparkcollectives.internal.select.Choice;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Policy;
import org.sparkcollectives.select.Request;

/** Choosing an algorithm: the first time, when all are priced, and again. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SelectionBenchmark {
  /** The number of ranks. */
  @Param({"8", "1000"})
  public int size;

  /** The operation. */
  @Param({"BROADCAST", "ALLREDUCE", "SCAN"})
  public Collective collective = Collective.BROADCAST;

  private final Selector selector = new Selector(Policy.DEFAULT);
  private Request request = request(1);

  private Request request(int ranks) {
    return Request.of(collective, ranks, 8 << 20, false, Topology.FLAT);
  }

  /** Makes the request. */
  @Setup
  public void prepare() {
    request = request(size);
  }

  /**
   * Prices every algorithm.
   *
   * @return the choice
   */
  @Benchmark
  public Choice first() {
    return new Selector(Policy.DEFAULT).choose(request);
  }

  /**
   * Looks a choice up.
   *
   * @return the choice
   */
  @Benchmark
  public Choice again() {
    return selector.choose(request);
  }
}
