package org.sparkcollectives.select;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.algorithm.Algorithm;
import org.sparkcollectives.algorithm.Algorithms;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.error.SelectionErrors;

/**
 * Chooses the algorithm of an operation and the number of blocks: the cheapest of the registry, or
 * the one asked for. A choice depends on nothing but the request and the model, so all ranks choose
 * alike. Choices are kept; not for use by several threads.
 */
public final class Selector {
  private static final int KEPT = 256;

  private final CostModel model;
  private final Map<Key, Choice> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Choice> eldest) {
          return size() > KEPT;
        }
      };

  private record Key(Request request, @Nullable String slug) {}

  /**
   * Makes a selector.
   *
   * @param model what communication costs
   */
  public Selector(CostModel model) {
    this.model = model;
  }

  /**
   * The algorithm to use.
   *
   * @param request what is to be done
   * @return the choice
   * @throws org.sparkcollectives.error.InvalidInputException if no algorithm can do it
   */
  public Choice choose(Request request) {
    Key key = new Key(request.withoutOperator(), null);
    Choice choice = kept.get(key);
    if (choice == null) {
      choice = cheapest(request);
      kept.put(key, choice);
    }
    return choice;
  }

  /**
   * A given algorithm, with the number of blocks that suits it.
   *
   * @param request what is to be done
   * @param slug the algorithm's name
   * @return the choice
   * @throws org.sparkcollectives.error.InvalidInputException if there is no such algorithm, or it
   *     cannot do what is asked; the message names those that can
   */
  public Choice choose(Request request, String slug) {
    Key key = new Key(request.withoutOperator(), slug);
    Choice choice = kept.get(key);
    if (choice == null) {
      choice = named(request, slug);
      kept.put(key, choice);
    }
    return choice;
  }

  private Choice cheapest(Request request) {
    Pricer pricer = new Pricer(model, request);
    Choice best = null;
    for (Algorithm algorithm : Algorithms.of(request.collective())) {
      if (pricer.suits(algorithm) && pricer.refusal(algorithm) == null) {
        Choice choice = pricer.price(algorithm);
        if (best == null || choice.nanos() < best.nanos()) {
          best = choice;
        }
      }
    }
    if (best == null) {
      throw SelectionErrors.noAlgorithm(request.collective().slug(), request.ordered());
    }
    return best;
  }

  private Choice named(Request request, String slug) {
    Pricer pricer = new Pricer(model, request);
    Algorithm algorithm = Algorithms.find(request.collective(), slug);
    Algorithms.requireOrder(algorithm, !request.ordered(), String.valueOf(request.operator()));
    String refusal = pricer.refusal(algorithm);
    if (refusal != null) {
      List<String> able =
          Algorithms.of(request.collective()).stream()
              .filter(other -> pricer.refusal(other) == null)
              .map(Algorithm::slug)
              .toList();
      throw SelectionErrors.refused(
          request.collective().slug(), slug, request.size(), refusal, able);
    }
    return pricer.price(algorithm);
  }
}
