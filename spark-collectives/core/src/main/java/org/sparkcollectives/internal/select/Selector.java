package org.sparkcollectives.internal.select;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.cost.LowerBound;
import org.sparkcollectives.select.Candidate;
import org.sparkcollectives.select.Explanation;
import org.sparkcollectives.select.Policy;
import org.sparkcollectives.select.Request;
import org.sparkcollectives.select.Rules;

/**
 * Chooses the algorithm of an operation and the number of blocks. A choice depends on nothing but
 * the request and the policy, so all ranks choose alike. Choices are kept; not for use by several
 * threads.
 */
public final class Selector {
  private static final int KEPT = 256;

  /** Algorithms are priced exactly whose rough prices are at most so many times the lowest. */
  private static final double PROMISING = 1.5;

  private final Policy policy;
  private final Map<Key, Choice> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Choice> eldest) {
          return size() > KEPT;
        }
      };

  private record Key(Request request, @Nullable String slug) {}

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
   * @param slug the name of the algorithm that the call asks for, or null
   * @return the choice, with the number of blocks that suits it
   * @throws org.sparkcollectives.error.InvalidInputException if there is no such algorithm, or it
   *     cannot do what is asked; the message names those that can
   */
  public Choice choose(Request request, @Nullable String slug) {
    Key key = new Key(withoutOperator(request), slug);
    Choice choice = kept.get(key);
    if (choice == null) {
      choice = decide(request, decision(request, slug));
      kept.put(key, choice);
    }
    return choice;
  }

  /**
   * What {@link #choose(Request, String)} chooses, and why.
   *
   * @param request what is to be done
   * @param slug the name of the algorithm that the call asks for, or null
   * @return the choice beside all other algorithms
   * @throws org.sparkcollectives.error.InvalidInputException as in {@code choose}
   */
  public Explanation explain(Request request, @Nullable String slug) {
    Decision decision = decision(request, slug);
    Choice choice = decide(request, decision);
    Candidate chosen = new Pricer(policy.model(), request).candidate(choice);
    return new Explanation(request, chosen, decision.reason(), candidates(request), bound(request));
  }

  /**
   * A time that no algorithm beats.
   *
   * @param request what is to be done
   * @return nanoseconds
   */
  public double bound(Request request) {
    return LowerBound.nanos(policy.model(), request.problem(1), (double) request.bytes());
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
    for (Algorithm algorithm : Algorithms.of(request.collective())) {
      String refusal = pricer.refusal(algorithm);
      if (refusal == null) {
        refusal = pricer.misfit(algorithm);
      }
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
        request.topology());
  }

  private Decision decision(Request request, @Nullable String slug) {
    Rules.Rule rule = policy.rules(request.collective()).match(request);
    if (slug != null) {
      return new Decision(slug, 0, "the call names it");
    }
    if (rule != null) {
      return new Decision(rule.slug(), 0, "the rule '" + rule + "' names it");
    }
    String fixed = policy.reproducible() ? Reproducible.slug(request.collective()) : null;
    return fixed == null
        ? new Decision(null, 0, "it is the cheapest")
        : new Decision(
            fixed,
            Reproducible.blocks(request),
            "results are to be reproducible, so it is used for every size");
  }

  private Choice decide(Request request, Decision decision) {
    String slug = decision.slug();
    return slug == null ? cheapest(request) : named(request, slug, decision.blocks());
  }

  private Choice cheapest(Request request) {
    Pricer pricer = new Pricer(policy.model(), request);
    List<Algorithm> able = new ArrayList<>();
    for (Algorithm algorithm : Algorithms.of(request.collective())) {
      if (pricer.misfit(algorithm) == null && pricer.refusal(algorithm) == null) {
        able.add(algorithm);
      }
    }
    Choice best = null;
    for (Algorithm algorithm : pricer.isPlaced() ? promising(pricer, able) : able) {
      Choice choice = pricer.price(algorithm);
      if (best == null || choice.nanos() < best.nanos()) {
        best = choice;
      }
    }
    if (best == null) {
      throw SelectionErrors.noAlgorithm(request.collective().slug(), request.ordered());
    }
    return best;
  }

  /** The algorithms whose rough prices are not far above the lowest one. */
  private static List<Algorithm> promising(Pricer pricer, List<Algorithm> able) {
    List<Choice> rough = able.stream().map(pricer::roughPrice).toList();
    double least = rough.stream().mapToDouble(Choice::nanos).min().orElse(0);
    return rough.stream()
        .filter(choice -> choice.nanos() <= PROMISING * least)
        .map(Choice::algorithm)
        .toList();
  }

  private Choice named(Request request, String slug, int blocks) {
    Pricer pricer = new Pricer(policy.model(), request);
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
    boolean pipelined = pricer.fixedBlocks(algorithm) == 0;
    return blocks > 0 && pipelined ? pricer.price(algorithm, blocks) : pricer.price(algorithm);
  }
}
