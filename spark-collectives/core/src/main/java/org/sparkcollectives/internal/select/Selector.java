package org.sparkcollectives.internal.select;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.cache.BoundedMap;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.select.Candidate;
import org.sparkcollectives.select.Explanation;
import org.sparkcollectives.select.Policy;
import org.sparkcollectives.select.Request;
import org.sparkcollectives.select.Rules;

/**
 * Chooses the algorithm of an operation and the number of blocks. A choice depends on nothing but
 * the request and the policy, so all ranks choose alike. Choices are kept; not for use by several
 * threads.
 *
 * <p>Where several ranks share a host's network card, or hosts a rack's narrow uplink, prices are
 * simulated. There {@link #choose} is content with rough ones, and {@link #priced} and {@link
 * #explain} have exact ones.
 */
public final class Selector {
  /** In place of an algorithm's name, what calls with two trees in their names ask for. */
  public static final String TWO_TREES = Algorithms.TWO_TREES;

  private static final int KEPT = 256;

  /** Choices for longer lists of lengths, which seldom come again, are not kept. */
  private static final int MOST_KEPT_PARTS = 1024;

  /** About what a first choice takes. */
  private static final double PRICING_NANOS = 200_000;

  /** And by how much longer it takes for each rank if parts have different lengths. */
  private static final double PRICING_NANOS_PER_PART = 3_000;

  private static final String CHEAPEST = "it is the cheapest";

  private final Policy policy;
  private final Map<Key, Choice> kept = BoundedMap.ofLastUsed(KEPT);

  private record Key(Request request, @Nullable String slug) {

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key that
          && request.equals(that.request)
          && Objects.equals(slug, that.slug);
    }

    @Override
    public int hashCode() {
      return 31 * request.hashCode() + (slug == null ? 0 : slug.hashCode());
    }
  }

  /** An algorithm that is settled, or null for the cheapest, and why. */
  private record Decision(@Nullable String slug, int blocks, String reason) {}

  /**
   * Makes a selector.
   *
   * @param policy how to choose
   */
  public Selector(Policy policy) {
    this.policy = policy;
  }

  /**
   * Makes a selector of the cheapest algorithms.
   *
   * @param model what communication costs
   */
  public Selector(CostModel model) {
    this(Policy.DEFAULT.withModel(model));
  }

  /**
   * The algorithm to use where the call names none.
   *
   * @param request what is to be done
   * @return the choice
   * @throws org.sparkcollectives.error.InvalidInputException if no algorithm can do it, or the one
   *     that a rule names cannot
   */
  public Choice choose(Request request) {
    return choose(request, null);
  }

  /**
   * The algorithm to use.
   *
   * @param request what is to be done
   * @param slug the name of the algorithm that the call asks for, or {@link #TWO_TREES}, or null
   * @return the choice, with the number of blocks that suits it; where ranks share network cards
   *     its price is rough, and if the call names the algorithm, of no meaning
   * @throws org.sparkcollectives.error.InvalidInputException if there is no such algorithm, or it
   *     cannot do what is asked; the message names those that can
   */
  public Choice choose(Request request, @Nullable String slug) {
    Request asked =
        request.counts().isEmpty() || worthCounts(request)
            ? request
            : request.withCounts(List.of());
    Key key = new Key(withoutOperator(asked), slug);
    Choice choice = kept.get(key);
    if (choice == null) {
      choice = decide(asked, decision(asked, slug));
      if (asked.counts().size() <= MOST_KEPT_PARTS) {
        kept.put(key, choice);
      }
    }
    return choice;
  }

  /**
   * What {@link #choose(Request, String)} chooses, and why.
   *
   * @param request what is to be done
   * @param slug the name that the call asks for, as in {@code choose}, or null
   * @return the choice beside all other algorithms
   * @throws org.sparkcollectives.error.InvalidInputException as in {@code choose}
   */
  public Explanation explain(Request request, @Nullable String slug) {
    Choice choice = priced(request, slug);
    Candidate chosen = new Pricer(policy.model(), request).candidate(choice);
    List<Candidate> candidates = candidates(request);
    String reason = decision(request, slug).reason();
    Candidate least = candidates.get(0);
    if (reason.equals(CHEAPEST) && least.nanos() < chosen.nanos()) {
      reason = whyNotTheLeast(request, chosen, least);
    }
    return new Explanation(request, chosen, reason, candidates, bound(request));
  }

  private String whyNotTheLeast(Request request, Candidate chosen, Candidate least) {
    if (!request.counts().isEmpty() && !worthCounts(request)) {
      return "it is the cheapest for equal parts, and these differ too little to choose by them";
    }
    if (chosen.nanos() <= CheapestSearch.SAME * least.nanos()) {
      return "none is more than 0.05 % cheaper";
    }
    return chosen.nanos() <= CheapestSearch.ALIKE * least.nanos()
            && chosen.rounds() < least.rounds()
        ? "none is more than 3 % cheaper, and the cheapest has more rounds"
        : "it is the cheapest by rough prices, of few ranks and blocks";
  }

  /**
   * What {@link #choose(Request, String)} chooses, with its exact price: of parts of these lengths,
   * too, where they are too much alike to choose by them.
   *
   * @param request what is to be done
   * @param slug the name that the call asks for, as in {@code choose}, or null
   * @return the choice
   * @throws org.sparkcollectives.error.InvalidInputException as in {@code choose}
   */
  public Choice priced(Request request, @Nullable String slug) {
    Choice choice = choose(request, slug);
    Pricer pricer = new Pricer(policy.model(), request);
    boolean known = !pricer.isPlaced() && request.counts().isEmpty();
    return known ? choice : pricer.repriced(choice);
  }

  /**
   * Whether prices are found by the simulator, as ranks share network cards or uplinks.
   *
   * @param request what is to be done
   * @return true if they are, false if they are closed forms
   */
  public boolean simulates(Request request) {
    return new Pricer(policy.model(), request).isPlaced();
  }

  /**
   * A time that no algorithm beats.
   *
   * @param request what is to be done
   * @return nanoseconds
   */
  public double bound(Request request) {
    return new Pricer(policy.model(), request).bound();
  }

  /**
   * All algorithms of a collective, priced.
   *
   * @param request what is to be done
   * @return those that can do it, the cheapest first, and then the others
   */
  public List<Candidate> candidates(Request request) {
    Pricer pricer = new Pricer(policy.model(), request);
    List<Candidate> candidates = new ArrayList<>();
    Map<Algorithm, String> refusals = refusals(pricer, request.collective());
    for (Algorithm algorithm : Algorithms.of(request.collective())) {
      String refusal = refusals.get(algorithm);
      candidates.add(
          refusal != null
              ? new Candidate(algorithm.slug(), refusal, 0, 0, 0, null, 0)
              : pricer.candidate(pricer.price(algorithm)));
    }
    candidates.sort(
        Comparator.comparing((Candidate each) -> each.refusal() != null)
            .thenComparing(Candidate::nanos));
    return candidates;
  }

  /**
   * Whether parts differ so much that more can be gained by knowing it than a new choice for every
   * list of lengths costs: the longest one takes longer than the mean, as often as a ring sends it.
   */
  private boolean worthCounts(Request request) {
    double unit = (double) request.bytes() / request.units();
    double mean = (double) request.units() / request.size();
    double excess = Collections.max(request.counts()) - mean;
    double beta = policy.model().network().betaNanosPerByte();
    double pricing = PRICING_NANOS + PRICING_NANOS_PER_PART * request.size();
    return (request.size() - 1) * excess * unit * beta > pricing;
  }

  /** The request without what only messages need. */
  private static Request withoutOperator(Request request) {
    return new Request(
        request.collective(),
        request.size(),
        request.root(),
        request.ordered(),
        request.units(),
        request.bytes(),
        null,
        request.topology(),
        request.counts());
  }

  private Decision decision(Request request, @Nullable String slug) {
    Rules.Rule rule = policy.rules(request.collective()).match(request);
    if (slug != null) {
      return new Decision(slug, 0, "the call asks for it");
    }
    if (rule != null) {
      return new Decision(rule.slug(), 0, "the rule '" + rule + "' names it");
    }
    String fixed = policy.reproducible() ? Reproducible.slug(request.collective()) : null;
    return fixed == null
        ? new Decision(null, 0, CHEAPEST)
        : new Decision(
            fixed,
            Reproducible.blocks(request),
            "results are to be reproducible, so it is used for every size");
  }

  private Choice decide(Request request, Decision decision) {
    String slug = decision.slug();
    return slug == null ? cheapest(request) : named(request, slug, decision.blocks());
  }

  /** Which algorithms are not to be chosen, and why. */
  private static Map<Algorithm, String> refusals(Pricer pricer, Collective collective) {
    Map<Algorithm, String> refusals = new HashMap<>();
    List<Algorithm> able = new ArrayList<>();
    for (Algorithm algorithm : Algorithms.of(collective)) {
      String refusal = pricer.refusal(algorithm);
      refusal = refusal == null ? pricer.misfit(algorithm) : refusal;
      if (refusal == null) {
        able.add(algorithm);
      } else {
        refusals.put(algorithm, refusal);
      }
    }
    refusals.putAll(pricer.crowded(able));
    return refusals;
  }

  private Choice cheapest(Request request) {
    Pricer pricer = new Pricer(policy.model(), request);
    Map<Algorithm, String> refusals = refusals(pricer, request.collective());
    List<Algorithm> able =
        Algorithms.of(request.collective()).stream()
            .filter(algorithm -> !refusals.containsKey(algorithm))
            .toList();
    if (able.isEmpty()) {
      throw SelectionErrors.noAlgorithm(request.collective().slug(), request.ordered());
    }
    return pricer.isPlaced()
        ? CheapestSearch.of(pricer, able)
        : able.stream().map(pricer::price).reduce(Choice::cheaper).orElseThrow();
  }

  /** Of those that fit, the one that takes about the least; the first if none fits. */
  private static Algorithm named(Pricer pricer, List<Algorithm> algorithms) {
    return algorithms.stream()
        .filter(each -> pricer.refusal(each) == null && pricer.misfit(each) == null)
        .min(Comparator.comparingDouble(pricer::aboutNanos))
        .orElse(algorithms.get(0));
  }

  private Choice named(Request request, String slug, int blocks) {
    Pricer pricer = new Pricer(policy.model(), request);
    Algorithm algorithm = named(pricer, Algorithms.named(request.collective(), slug));
    Algorithms.requireOrder(algorithm, !request.ordered(), request.operator());
    String refusal = pricer.refusal(algorithm);
    if (refusal != null) {
      List<String> able =
          Algorithms.of(request.collective()).stream()
              .filter(other -> pricer.refusal(other) == null)
              .map(Algorithm::slug)
              .toList();
      throw SelectionErrors.refused(
          request.collective().slug(), algorithm.slug(), request.size(), refusal, able);
    }
    return blocks > 0 && pricer.isPipelined(algorithm)
        ? pricer.unplacedPrice(algorithm, blocks)
        : pricer.unplacedPrice(algorithm);
  }
}
