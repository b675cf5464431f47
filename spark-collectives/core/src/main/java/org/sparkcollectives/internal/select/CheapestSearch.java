package org.sparkcollectives.internal.select;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.Algorithm;

/**
 * The search for the cheapest algorithm where prices are simulated. It looks at few of them
 * closely: all have a lower bound, those of low bounds get a rough price, and those of low rough
 * prices a closer one. What was left out and looks little dearer than the cheapest by closer prices
 * is looked at after all.
 */
final class CheapestSearch {
  /**
   * Of pipelines that cost up to so many times as much as the cheapest the one of the fewest rounds
   * is taken where ranks share hosts: each message takes processors, which prices know little of.
   */
  static final double ALIKE = 1.03;

  /** Prices that differ by no more are the same: some are interpolated. */
  static final double SAME = 1.0005;

  /** Prices are found more closely of algorithms with rough ones up to so many times the least. */
  private static final double PROMISING = 1.3;

  /** What rough prices leave out may be this much above the least closer one. */
  private static final double LEFT_OUT = 1.1;

  /** And at first of at most so many. */
  private static final int MOST_PROMISING = 3;

  private final Pricer pricer;

  private final List<Algorithm> able;

  /** Those without a price, with what they cost at least. */
  private final Map<Algorithm, Double> open = new LinkedHashMap<>();

  private final Map<Algorithm, Integer> looks = new HashMap<>();

  /** Rough prices, but one of algorithms that do the same. */
  private final List<Choice> rough = new ArrayList<>();

  private final Map<Algorithm, Choice> closer = new LinkedHashMap<>();

  private CheapestSearch(Pricer pricer, List<Algorithm> able) {
    this.pricer = pricer;
    this.able = able;
    able.forEach(algorithm -> open.put(algorithm, pricer.leastIfNear(algorithm)));
  }

  /**
   * The cheapest algorithm, with the number of blocks that suits it best.
   *
   * @param pricer the prices of the request
   * @param able those that can do it, one or more
   */
  static Choice of(Pricer pricer, List<Algorithm> able) {
    return new CheapestSearch(pricer, able).cheapest();
  }

  private Choice cheapest() {
    priceRoughly();
    List<Choice> promising = promising();
    if (promising.size() == 1 && !pricer.isRoughlySampled()) { // no closer price changes that
      return pricer.refined(promising.get(0).algorithm(), Detail.ROUGH);
    }
    promising.forEach(this::priceClosely);
    Choice next = leftOut();
    while (next != null) {
      priceClosely(next);
      next = leftOut();
    }
    return pricer.refined(easiest().algorithm(), Detail.CLOSER);
  }

  /** The one of the lowest rough price that is not far above the closer ones, or null. */
  private @Nullable Choice leftOut() {
    priceRoughly();
    double least = LEFT_OUT * least(closer.values());
    return rough.stream()
        .filter(each -> each.nanos() < least && !closer.containsKey(each.algorithm()))
        .min(Comparator.comparingDouble(Choice::nanos))
        .orElse(null);
  }

  /** Finds rough prices of all that may cost about as little as the cheapest that is known. */
  private void priceRoughly() {
    Algorithm next = lowest();
    while (next != null) {
      double bound = open.getOrDefault(next, 0.0);
      switch (looks.merge(next, 1, Integer::sum)) { // bounds that take longer to find come later
        case 1 -> open.put(next, Math.max(bound, pricer.leastForCards(next)));
        case 2 -> open.put(next, Math.max(bound, pricer.leastOfMany(next)));
        default -> {
          open.remove(next);
          Choice price = pricer.roughPrice(next);
          if (rough.stream().noneMatch(each -> each.nanos() == price.nanos())) {
            rough.add(price);
          }
        }
      }
      next = lowest();
    }
  }

  /** The algorithm without a price that has the lowest bound, or null if none is low enough. */
  private @Nullable Algorithm lowest() {
    Algorithm lowest = null;
    double least = closer.isEmpty() ? ALIKE * least(rough) : least(closer.values());
    for (Map.Entry<Algorithm, Double> each : open.entrySet()) {
      if (each.getValue() < least) {
        lowest = each.getKey();
        least = each.getValue();
      }
    }
    return lowest;
  }

  private List<Choice> promising() {
    double most = PROMISING * least(rough);
    return rough.stream()
        .filter(choice -> choice.nanos() <= most)
        .sorted(Comparator.comparingDouble(Choice::nanos))
        .limit(MOST_PROMISING)
        .toList();
  }

  private void priceClosely(Choice choice) {
    closer.put(choice.algorithm(), pricer.closerPrice(choice.algorithm()));
  }

  /** The cheapest or, if that is a pipeline, of those that hardly cost more the easiest. */
  private Choice easiest() {
    Choice cheapest = cheapestCloser();
    return closer.values().stream()
        .filter(choice -> choice.nanos() <= ALIKE * cheapest.nanos())
        .filter(choice -> pricer.isPipelined(choice.algorithm()))
        .filter(choice -> pricer.isPipelined(cheapest.algorithm()))
        .min(Comparator.comparingInt(Choice::rounds).thenComparingDouble(Choice::nanos))
        .orElse(cheapest);
  }

  /** The first of those able that take the same. */
  private Choice cheapestCloser() {
    double least = SAME * least(closer.values());
    return closer.values().stream()
        .filter(choice -> choice.nanos() <= least)
        .min(Comparator.comparingInt(choice -> able.indexOf(choice.algorithm())))
        .orElseThrow();
  }

  private static double least(Collection<Choice> choices) {
    return choices.stream().mapToDouble(Choice::nanos).min().orElse(Double.MAX_VALUE);
  }
}
