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
  private static final int FEW = 4;
  private static final int MANY = 16;

  /** The number of ranks. */
  @Param({"8", "1000", "100000"})
  public int size;

  /** The operation. */
  @Param({"BROADCAST", "ALLREDUCE", "SCAN"})
  public Collective collective = Collective.BROADCAST;

  /** Which ranks share a host: none, some whose numbers follow each other, or do not. */
  @Param({"FLAT", "CONSECUTIVE", "INTERLEAVED", "CONSECUTIVE_16"})
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
    /** Ranks take turns on hosts of four. */
    INTERLEAVED,
    /** Ranks 0 to 15 share one, 16 to 31, and so on. */
    CONSECUTIVE_16;

    Topology of(int ranks) {
      int hosts = (ranks + FEW - 1) / FEW;
      return switch (this) {
        case FLAT -> Topology.FLAT;
        case CONSECUTIVE -> topology(ranks, rank -> rank / FEW);
        case INTERLEAVED -> topology(ranks, rank -> rank % hosts);
        case CONSECUTIVE_16 -> topology(ranks, rank -> rank / MANY);
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
