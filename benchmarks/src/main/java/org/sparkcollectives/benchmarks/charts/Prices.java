package org.sparkcollectives.benchmarks.charts;

import java.util.LinkedHashMap;
import java.util.Map;
import org.sparkcollectives.algorithm.Algorithm;
import org.sparkcollectives.algorithm.Algorithms;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Choice;
import org.sparkcollectives.select.Request;
import org.sparkcollectives.select.Selector;

/**
 * Predicted times of the algorithms that suit a flat full-duplex network, each with the number of
 * blocks that is best for it.
 *
 * @param collective the operation
 * @param ordered whether operands stay in rank order
 */
record Prices(Collective collective, boolean ordered) {

  /** A name for files and titles. */
  String name() {
    return collective.slug() + (ordered && collective != Collective.SCAN ? "-in-order" : "");
  }

  /**
   * The price of every algorithm that can do it.
   *
   * @param size p, the number of ranks
   * @param bytes the vector's size
   * @return nanoseconds by algorithm, in the sequence of the registry
   */
  Map<String, Double> of(int size, long bytes) {
    Selector selector = new Selector(CostModel.DEFAULT);
    Request request = Request.of(collective, size, bytes, ordered, Topology.FLAT);
    Choice any = selector.choose(request);
    Map<String, Double> prices = new LinkedHashMap<>();
    for (Algorithm algorithm : Algorithms.of(collective)) {
      boolean able =
          algorithm.traits().features().isEmpty()
              && (!ordered || algorithm.traits().keepsOrder())
              && algorithm.refusal(any.problem()) == null;
      if (able) {
        prices.put(algorithm.slug(), selector.choose(request, algorithm.slug()).nanos());
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
