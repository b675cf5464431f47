package org.sparkcollectives.internal.select;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.cost.ClosedForm;
import org.sparkcollectives.internal.cost.LowerBound;
import org.sparkcollectives.internal.cost.Simulator;
import org.sparkcollectives.internal.cost.Turns;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Candidate;
import org.sparkcollectives.select.Request;

/** Prices the algorithms of one request, each with the number of blocks that suits it best. */
final class Pricer {
  /** Of more ranks rounds would overflow. */
  private static final int MOST_RANKS = 1 << 28;

  private static final String FOR_HOSTS = "it is for several hosts, and there is one";

  /** The part of its rounds' time that a schedule takes at least where ranks overlap rounds. */
  private static final double AHEAD = 0.4;

  private final CostModel model;
  private final Request request;
  private final ClosedForm form;
  private final BlockSearch search;

  private final Map<Detail, Map<Algorithm, PlacedPrice>> placedPrices = new EnumMap<>(Detail.class);

  /** By choices without a price. */
  private final Map<Choice, Optional<Traffic>> traffic = new HashMap<>();

  private final Map<Algorithm, Integer> numbers = new HashMap<>();
  private final Map<Algorithm, Integer> roughNumbers = new HashMap<>();
  private @Nullable Sample sample;
  private @Nullable Sample roughSample;
  private @Nullable Sample many;
  private @Nullable Pricer sampled;

  /** Whether ranks share cards or uplinks, so that closed forms do not say it all. */
  private final boolean placed;

  Pricer(CostModel model, Request request) {
    this(model, request, isPlaced(model, request));
  }

  /**
   * Several ranks share a card, or the hosts of a rack an uplink that carries less than they do.
   */
  private static boolean isPlaced(CostModel model, Request request) {
    Topology topology = request.topology();
    boolean narrow = Simulator.limitsByUplinks(model, topology, request.size());
    return topology.hosts(request.size()) > 1 && (topology.mostRanksPerHost() > 1 || narrow);
  }

  private Pricer(CostModel model, Request request, boolean placed) {
    if (request.size() > MOST_RANKS) {
      throw SelectionErrors.tooManyRounds(request.size(), MOST_RANKS);
    }
    this.model = model;
    this.request = request;
    this.form = new ClosedForm(model, request.topology(), request.size());
    this.placed = placed;
    this.search = new BlockSearch(model, request, form.farthest(), this::unplacedPrice);
  }

  /** Why an algorithm is out of the question, or null if it is not. */
  @Nullable String refusal(Algorithm algorithm) {
    if (request.ordered() && !algorithm.traits().keepsOrder()) {
      return "it combines out of rank order";
    }
    return algorithm.refusal(request.problem(Math.max(1, fixedBlocks(algorithm))));
  }

  /** Why an algorithm makes no sense on the network of the model or among the hosts, or null. */
  @Nullable String misfit(Algorithm algorithm) {
    if (algorithm.traits().has(Traits.Feature.SIMPLEX) && model.fullDuplex()) {
      return "it is for networks that do not send and receive at the same time";
    }
    if (algorithm.traits().has(Traits.Feature.HIERARCHICAL)) {
      if (request.topology().mostRanksPerHost() == 1) {
        return "it is for hosts of several ranks";
      }
      if (onOneHost()) {
        return FOR_HOSTS;
      }
      if (algorithm.traits().has(Traits.Feature.UNEVEN) && !request.counts().isEmpty()) {
        return "it waits for the longest part on each host";
      }
    } else if (algorithm.traits().has(Traits.Feature.UNEVEN) && request.counts().isEmpty()) {
      return "it is for parts of different lengths";
    }
    return isStraightAllGather(algorithm) && onOneHost() ? FOR_HOSTS : null;
  }

  /**
   * Within a host messages take the processors' time, which prices do not count, and an allgather
   * has nothing to combine meanwhile: there fewer messages are faster.
   */
  private static boolean isStraightAllGather(Algorithm algorithm) {
    return algorithm.collective() == Collective.ALLGATHER
        && algorithm.traits().has(Traits.Feature.INDEPENDENT);
  }

  private boolean onOneHost() {
    return request.topology().hosts(request.size()) == 1;
  }

  /** Which of the algorithms that solve the problem need more links than there can be, and why. */
  Map<Algorithm, String> crowded(List<Algorithm> able) {
    int blocks =
        switch (request.collective()) {
          case ALLTOALL -> pairs();
          case REDUCE_SCATTER, ALLGATHER -> request.size();
          case REDUCE -> request.units() < request.size() ? 0 : 1; // few own parts of few units
          default -> 0; // nothing goes straight from every rank to every other one or every host
        };
    return blocks > 0 && !able.isEmpty()
        ? ManyLinks.refusals(able, request.problem(blocks))
        : Map.of();
  }

  /** Whether ranks share network cards or uplinks, so that exact prices take long. */
  boolean isPlaced() {
    return placed;
  }

  /** Whether rough prices are those of fewer ranks. */
  boolean isRoughlySampled() {
    return roughSample().size() < request.size();
  }

  /** The price of an algorithm that does not refuse. */
  Choice price(Algorithm algorithm) {
    return price(algorithm, blocks(algorithm));
  }

  /** An algorithm that does not refuse, priced as if no ranks shared a card or an uplink. */
  Choice unplacedPrice(Algorithm algorithm) {
    return unplacedPrice(algorithm, blocks(algorithm));
  }

  /** The same with a number of blocks. */
  Choice unplacedPrice(Algorithm algorithm, int blocks) {
    Problem problem = problem(algorithm, blocks);
    return new Choice(algorithm, problem, closed(algorithm, problem));
  }

  /**
   * About what an algorithm takes, by its closed form and what the busiest network card carries in
   * a few ranks' schedules: nothing is simulated.
   */
  double aboutNanos(Algorithm algorithm) {
    double nanos = unplacedPrice(algorithm).nanos();
    return placed ? Math.max(nanos, leastForCards(algorithm)) : nanos;
  }

  /** About what {@link #price(Algorithm)} will say, for less. */
  Choice roughPrice(Algorithm algorithm) {
    return price(algorithm, roughBlocks(algorithm), Detail.ROUGH);
  }

  /** The same for more, of all ranks that are simulated. */
  Choice closerPrice(Algorithm algorithm) {
    return price(algorithm, roughBlocks(algorithm), Detail.CLOSER);
  }

  /** Such a price of the number of blocks that suits best. */
  Choice refined(Algorithm algorithm, Detail detail) {
    return price(algorithm, blocks(algorithm), detail);
  }

  private Choice price(Algorithm algorithm, int blocks, Detail detail) {
    Problem problem = problem(algorithm, blocks);
    return new Choice(algorithm, problem, nanos(algorithm, problem, detail));
  }

  /**
   * What an algorithm with about the best number of blocks hardly takes less than if all ranks are
   * near. Of few ranks some have less to do and overlap their rounds with those of others; among
   * many that is worth little, and looking at more algorithms takes long.
   */
  double leastIfNear(Algorithm algorithm) {
    Problem problem = problem(algorithm, roughBlocks(algorithm));
    return (request.size() > Sample.MOST_RANKS ? 1 : AHEAD)
        * form.withinReach()
            .nanos(
                algorithm.phases(problem),
                algorithm.path(problem, model.fullDuplex()),
                bytesOf(algorithm, problem),
                1);
  }

  /** What the busiest network card hardly takes less for, with about the best number of blocks. */
  double leastForCards(Algorithm algorithm) {
    if (request.collective() == Collective.BARRIER) {
      return 0;
    }
    double load = placedPrice(algorithm, Detail.ROUGH).load(roughBlocks(algorithm));
    if (request.collective() == Collective.ALLTOALL) { // a host's part of what all ranks send
      Sample few = roughSample();
      double hosts = few.topology().hosts(few.size());
      load *= hosts / request.topology().hosts(request.size());
    }
    return load * request.bytes() * model.network().betaNanosPerByte();
  }

  /** The same, counted for more ranks than are simulated. */
  double leastOfMany(Algorithm algorithm) {
    double load = placedPrice(algorithm, Detail.ROUGH).loadOfMany(this::many);
    return load * request.bytes() * model.network().betaNanosPerByte();
  }

  private int blocks(Algorithm algorithm) {
    return numbers.computeIfAbsent(
        algorithm,
        each -> {
          int fixed = fixedBlocks(each);
          if (fixed > 0) {
            return fixed;
          }
          if (each.traits().has(Traits.Feature.UNEVEN)) {
            return placed && each.traits().has(Traits.Feature.HIERARCHICAL)
                ? search.shortCut()
                : search.bestCut(each);
          }
          return placed
              ? search.ofAllRanks(each, sampled().search.best(each))
              : search.best(each).problem().blocks();
        });
  }

  private int roughBlocks(Algorithm algorithm) {
    return roughNumbers.computeIfAbsent(
        algorithm,
        each -> {
          boolean known = fixedBlocks(each) > 0 || each.traits().has(Traits.Feature.UNEVEN);
          return known ? blocks(each) : search.ofAllRanks(each, sampled().search.aboutBest(each));
        });
  }

  /**
   * What an algorithm solves with about so many blocks: those of an algorithm that cuts parts are
   * of one length nearly, and so that each part has as many where parts are equal.
   */
  private Problem problem(Algorithm algorithm, int blocks) {
    if (!algorithm.traits().has(Traits.Feature.UNEVEN)) {
      return request.problem(blocks);
    }
    if (request.counts().isEmpty()) {
      int each = Math.max(1, blocks / request.size());
      return request.problem(each * request.size());
    }
    if (algorithm.traits().has(Traits.Feature.HIERARCHICAL)) { // it would wait for the longest
      return request.problem(request.size());
    }
    return request.problem(1).withParts(BlockSizes.cut(request.counts(), request.units(), blocks));
  }

  /** The same choice at its price. */
  Choice repriced(Choice choice) {
    double nanos = nanos(choice.algorithm(), choice.problem(), Detail.EXACT);
    return new Choice(choice.algorithm(), choice.problem(), nanos);
  }

  /** The price of an algorithm with a number of blocks. */
  Choice price(Algorithm algorithm, int blocks) {
    return price(algorithm, blocks, Detail.EXACT);
  }

  private double nanos(Algorithm algorithm, Problem problem, Detail detail) {
    double nanos = closed(algorithm, problem);
    if (!placed || nanos <= 0) {
      return nanos;
    }
    double bytes = bytesPerBlock(problem.blocks());
    double simulated = nanos * placedPrice(algorithm, detail).ratio(problem.blocks(), bytes);
    double least = Math.max(simulated, leastOfMany(algorithm));
    if (detail != Detail.EXACT) {
      return least;
    }
    // Of few hosts less has to leave each than of many, and of hosts of few ranks, too.
    return Math.max(Math.max(least, bound()), passing(algorithm, problem));
  }

  /** What the busiest network card takes for what passes it, 0 where that takes long to count. */
  private double passing(Algorithm algorithm, Problem problem) {
    double bytes = traffic(algorithm, problem).map(Traffic::busiestBytes).orElse(0.0);
    return bytes * model.network().betaNanosPerByte();
  }

  /**
   * What passes cards, counted once for a price and an explanation of it; empty for many rounds.
   */
  private Optional<Traffic> traffic(Algorithm algorithm, Problem problem) {
    return traffic.computeIfAbsent(
        new Choice(algorithm, problem, 0),
        each ->
            Traffic.isLong(algorithm, problem)
                ? Optional.empty()
                : Optional.ofNullable(
                    Traffic.of(
                        algorithm,
                        problem,
                        bytesPerBlock(problem.blocks()),
                        request.counts().isEmpty() ? null : BlockSizes.of(request, problem))));
  }

  /** A time that no algorithm beats. */
  double bound() {
    return LowerBound.nanos(model, request.problem(1), (double) request.bytes(), request.counts());
  }

  private double closed(Algorithm algorithm, Problem problem) {
    return form.nanos(
        algorithm.phases(problem),
        algorithm.path(problem, model.fullDuplex()),
        bytesOf(algorithm, problem),
        contention(algorithm.traits()),
        turns(algorithm.traits()));
  }

  /**
   * How often messages take turns where ranks cannot send and receive at once. In placements the
   * simulator says.
   */
  private double turns(Traits traits) {
    if (placed || model.fullDuplex() || !traits.has(Traits.Feature.CYCLIC)) {
      return Turns.PAIRS;
    } else if (traits.has(Traits.Feature.HALVED_DISTANCES)) {
      return Turns.halved(request.size());
    } else if (traits.has(Traits.Feature.DOUBLED_DISTANCES)) {
      return Turns.doubled(request.size());
    } else if (traits.has(Traits.Feature.SHIFTING)) {
      return Turns.toAll(request.size());
    } else if (traits.has(Traits.Feature.BITWISE)) {
      return Turns.bitwise(request.size());
    }
    return Turns.at(request.size(), 1);
  }

  /** The most bytes of so many blocks that are neighbours. */
  private IntToDoubleFunction bytesOf(Algorithm algorithm, Problem problem) {
    if (request.counts().isEmpty()) {
      double bytesPerBlock = bytesPerBlock(problem.blocks());
      return blocks -> blocks * bytesPerBlock;
    }
    boolean cut = algorithm.traits().has(Traits.Feature.UNEVEN) && !problem.parts().isEmpty();
    if (!cut) { // each part is a block
      return BlockSizes.of(request, problem)::most;
    }
    double units = 0;
    for (int rank = 0; rank < request.size(); rank++) {
      int count = request.counts().get(rank);
      units = Math.max(units, count / (double) Math.max(1, problem.parts().get(rank)));
    }
    double longest = units * request.bytes() / request.units();
    return blocks -> blocks * longest;
  }

  private PlacedPrice placedPrice(Algorithm algorithm, Detail detail) {
    Map<Algorithm, PlacedPrice> prices =
        placedPrices.computeIfAbsent(detail, each -> new HashMap<>());
    PlacedPrice known = prices.get(algorithm);
    if (known == null) {
      int fixed = fixedBlocks(algorithm);
      Sample of = detail == Detail.ROUGH ? roughSample() : sample();
      known = PlacedPrice.of(algorithm, model, request, fixed, of, detail);
      prices.put(algorithm, known);
    }
    return known;
  }

  private Sample roughSample() {
    if (roughSample == null) {
      roughSample = Sample.rough(request.topology(), request.size(), request.root());
    }
    return roughSample;
  }

  private Sample many() {
    if (many == null) {
      many = Sample.many(request.topology(), request.size(), request.root());
    }
    return many;
  }

  private Sample sample() {
    if (sample == null) {
      sample = Sample.of(request.topology(), request.size(), request.root());
    }
    return sample;
  }

  /** Prices of the sample as if on hosts alone. */
  private Pricer sampled() {
    if (sampled == null) {
      sampled = new Pricer(model, sample().sampled(request), false);
    }
    return sampled;
  }

  private double contention(Traits traits) {
    double share = traits.contention(request.size(), request.ordered());
    return 1 + share * (model.contention() - 1);
  }

  /** The mean size of a block. */
  private double bytesPerBlock(int blocks) {
    return request.collective() == Collective.BARRIER ? 0 : (double) request.bytes() / blocks;
  }

  /** The number of blocks of an algorithm that does not pipeline, 0 for one that does. */
  int fixedBlocks(Algorithm algorithm) {
    if (request.collective().divided()) {
      return algorithm.traits().has(Traits.Feature.UNEVEN) ? 0 : request.size();
    }
    return request.collective() == Collective.ALLTOALL
        ? pairs()
        : Math.min(algorithm.naturalBlocks(request.size()), Math.max(1, request.units()));
  }

  /** Whether an algorithm cuts the vector into as many blocks as suits. */
  boolean isPipelined(Algorithm algorithm) {
    return fixedBlocks(algorithm) == 0;
  }

  private int pairs() {
    long pairs = (long) request.size() * request.size();
    if (pairs > Integer.MAX_VALUE) {
      throw SelectionErrors.tooManyRanks(request.collective().slug(), request.size());
    }
    return (int) pairs;
  }

  /** A choice as a candidate, with what the algorithm claims. */
  Candidate candidate(Choice choice) {
    Problem problem = choice.problem();
    double bytesPerBlock = bytesPerBlock(problem.blocks());
    long sent = choice.algorithm().blocksSent(problem);
    BlockSizes sizes = request.counts().isEmpty() ? null : BlockSizes.of(request, problem);
    Traffic counted = traffic(choice.algorithm(), problem).orElse(null);
    double bytesSent = sent * bytesPerBlock;
    if (sizes != null && counted != null) {
      bytesSent = counted.mostOfARank();
    } else if (sizes != null) { // about so many
      long wholes = sent / problem.blocks();
      bytesSent = wholes * (double) request.bytes() + sizes.most((int) (sent % problem.blocks()));
    }
    return new Candidate(
        choice.algorithm().slug(),
        null,
        choice.algorithm().rounds(problem),
        problem.blocks(),
        bytesSent,
        counted == null ? null : counted.busiest(),
        choice.nanos());
  }
}
