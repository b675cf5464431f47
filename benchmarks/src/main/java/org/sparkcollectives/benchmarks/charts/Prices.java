package org.sparkcollectives.benchmarks.charts;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.cost.Simulator;
import org.sparkcollectives.internal.select.Choice;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Request;

/**
 * Predicted times of the algorithms that suit a flat full-duplex network, each with the number of
 * blocks that is best for it.
 *
 * @param collective the operation
 * @param ordered whether operands stay in rank order
 */
record Prices(Collective collective, boolean ordered) {
  static final int MOST_ROUNDS = 100_000;

  /** A name for files and titles. */
  String name() {
    return collective.slug() + (ordered && collective != Collective.SCAN ? "-in-order" : "");
  }

  /**
   * The price of every algorithm that can do it, but those for half-duplex networks and for several
   * ranks on a host.
   *
   * @param size p, the number of ranks
   * @param bytes the vector's size
   * @return nanoseconds by algorithm, in the sequence of the registry
   */
  Map<String, Double> of(int size, long bytes) {
    return prices(size, bytes, Choice::nanos);
  }

  /**
   * The simulated time of every algorithm that can do it: its schedules executed on a clock. Where
   * all ranks' schedules together have more than {@value #MOST_ROUNDS} rounds, the price instead.
   *
   * @param size p, the number of ranks
   * @param bytes the vector's size
   * @return nanoseconds by algorithm, in the sequence of the registry
   */
  Map<String, Double> simulated(int size, long bytes) {
    return prices(
        size,
        bytes,
        choice -> {
          Problem problem = choice.problem();
          long rounds = (long) size * choice.algorithm().rounds(problem);
          return rounds > MOST_ROUNDS
              ? choice.nanos()
              : Simulator.run(
                      CostModel.DEFAULT,
                      problem,
                      rank -> choice.algorithm().executed(problem, rank),
                      (double) bytes / problem.blocks(),
                      null)
                  .nanos();
        });
  }

  private Map<String, Double> prices(int size, long bytes, ToDoubleFunction<Choice> nanos) {
    Selector selector = new Selector(CostModel.DEFAULT);
    Request request = Request.of(collective, size, bytes, ordered, Topology.FLAT);
    Choice any = selector.choose(request);
    Map<String, Double> prices = new LinkedHashMap<>();
    for (Algorithm algorithm : Algorithms.of(collective)) {
      boolean able =
          !algorithm.traits().has(Traits.Feature.SIMPLEX)
              && !algorithm.traits().has(Traits.Feature.HIERARCHICAL)
              && !algorithm.traits().has(Traits.Feature.UNEVEN)
              && (!ordered || algorithm.traits().keepsOrder())
              && algorithm.refusal(any.problem()) == null;
      if (able) {
        prices.put(
            algorithm.slug(), nanos.applyAsDouble(selector.choose(request, algorithm.slug())));
      }
    }
    return prices;
  }

  /**
   * The cheapest algorithm.
   *
   * @param size p, the number of ranks
   * @param bytes the vector's size
   * @return its name
   */
  String winner(int size, long bytes) {
    Request request = Request.of(collective, size, bytes, ordered, Topology.FLAT);
    return new Selector(CostModel.DEFAULT).choose(request).algorithm().slug();
  }
}
