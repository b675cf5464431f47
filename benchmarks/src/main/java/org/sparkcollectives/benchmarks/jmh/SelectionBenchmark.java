package org.sparkcollectives.benchmarks.jmh;

import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
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
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
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
  private static final int RANKS_PER_HOST = 4;

  /** The number of ranks. */
  @Param({"8", "1000"})
  public int size;

  /** The operation. */
  @Param({"BROADCAST", "ALLREDUCE", "SCAN"})
  public Collective collective = Collective.BROADCAST;

  /** Which ranks share a host: none, or four, whose numbers follow each other or do not. */
  @Param({"FLAT", "CONSECUTIVE", "INTERLEAVED"})
  public Placement placement = Placement.FLAT;

  private final Selector selector = new Selector(Policy.DEFAULT);
  private Request request = request(1);
  private int choices;

  /** Which ranks share a host. */
  public enum Placement {
    /** Each rank has a host. */
    FLAT,
    /** Ranks 0 to 3 share one, 4 to 7, and so on. */
    CONSECUTIVE,
    /** Ranks take turns on the hosts. */
    INTERLEAVED;

    Topology of(int ranks) {
      int hosts = (ranks + RANKS_PER_HOST - 1) / RANKS_PER_HOST;
      return switch (this) {
        case FLAT -> Topology.FLAT;
        case CONSECUTIVE -> topology(ranks, rank -> rank / RANKS_PER_HOST);
        case INTERLEAVED -> topology(ranks, rank -> rank % hosts);
      };
    }

    private static Topology topology(int ranks, IntUnaryOperator hostOf) {
      return Topology.ofHosts(IntStream.range(0, ranks).map(hostOf).boxed().toList());
    }
  }

  private Request request(int ranks) {
    return Request.of(collective, ranks, 8 << 20, false, placement.of(ranks));
  }

  /** A model that no choice was made with, as what was simulated is kept by model. */
  private CostModel model() {
    LevelCost network = CostModel.DEFAULT.network();
    double beta = network.betaNanosPerByte() * (1 + 1e-9 * choices++);
    return CostModel.DEFAULT.withNetwork(
        new LevelCost(network.alphaNanos(), beta, network.gapNanos()));
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
    return new Selector(model()).choose(request);
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
