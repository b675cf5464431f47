package org.sparkcollectives.internal.select;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.cache.BoundedMap;
import org.sparkcollectives.internal.cost.ClosedForm;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Request;

/**
 * By how much an algorithm takes longer, or shorter, in a placement of several ranks on a host, or
 * of hosts in racks, than its closed form says, which knows no network cards. The simulator says
 * it, for {@link Sample}: cards, uplinks, their queues, and messages that stay within hosts. Among
 * a few hosts more messages do so than among many; so what further hosts add is taken from what
 * twice as many hosts take longer than a few. What was simulated is kept for all selectors of the
 * process, and simulated once where the same ranks stand for all with another detail.
 *
 * <p>An {@link Detail#EXACT} one of a placement that stands for itself is simulated as asked, if
 * that does not take too many rounds, and so is a {@link Detail#CLOSER} one of an algorithm that
 * does not pipeline. Others are of fewer blocks, and a {@link Detail#ROUGH} one of fewer ranks and
 * the nearest size, too.
 */
final class PlacedPrice {
  private static final int KEPT = 256;

  private static final Map<Key, PlacedPrice> PRICES = BoundedMap.ofLastUsed(KEPT);

  /** What differs by less is not grown from. */
  private static final double LEAST_GROWTH = 1.01;

  /** Bytes of cards are counted, and growth is taken, with so many blocks. */
  private static final int FEW_BLOCKS = 2;

  private record Key(
      Algorithm algorithm,
      CostModel model,
      int size,
      int root,
      boolean ordered,
      int fixed,
      Detail detail,
      Topology topology) {

    /** The same with another detail. */
    Key at(Detail other) {
      return new Key(algorithm, model, size, root, ordered, fixed, other, topology);
    }

    /** By hand, as what a record generates is slow at first. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key that
          && algorithm.equals(that.algorithm)
          && Objects.equals(model, that.model) // mostly the same object
          && size == that.size
          && root == that.root
          && ordered == that.ordered
          && fixed == that.fixed
          && detail == that.detail
          && topology.equals(that.topology);
    }

    @Override
    public int hashCode() {
      int hash = 31 * (31 * algorithm.hashCode() + size) + root;
      hash = 31 * hash + Double.hashCode(model.network().betaNanosPerByte());
      return 31 * (31 * hash + detail.hashCode()) + topology.hashCode();
    }
  }

  private final Algorithm algorithm;
  private final Problem whole;
  private final CostModel model;
  private final ClosedForm form;
  private final SampledPrice sample;

  /** Few hosts, and twice as many, which tell what more of them add; null where they do not. */
  private final @Nullable SampledPrice few;

  private final SampledPrice twice;

  /** By the vector's number of blocks, how many of them pass the busiest card. */
  private final Map<Integer, Double> onBusiestCard = new HashMap<>();

  /** What part passes a card of many ranks, or NaN as long as nobody has asked. */
  private double loadOfMany = Double.NaN;

  private PlacedPrice(
      Algorithm algorithm,
      CostModel model,
      Request request,
      int fixed,
      Sample taken,
      Detail detail,
      Collection<Simulations> known) {
    this.algorithm = algorithm;
    this.whole = request.problem(Math.max(1, fixed));
    this.model = model;
    this.form = new ClosedForm(model, request.topology(), request.size());
    this.sample = new SampledPrice(algorithm, model, request, fixed, taken, detail, known);
    boolean hosts = algorithm.traits().has(Traits.Feature.HIERARCHICAL);
    Sample less = sample.isPartial() && !hosts ? taken.half(request) : null;
    this.few =
        less == null
            ? null
            : new SampledPrice(algorithm, model, request, fixed, less, detail, known);
    this.twice =
        less == null || Powers.isPowerOfTwo(request.size())
            ? sample
            : new SampledPrice(
                algorithm, model, request, fixed, less.twice(request), detail, known);
  }

  /** What is simulated for it. */
  private List<Simulations> simulations() {
    return Stream.of(sample, few, twice)
        .filter(Objects::nonNull)
        .map(SampledPrice::simulations)
        .toList();
  }

  /**
   * What is known of an algorithm in the placement of a request.
   *
   * @param fixed its number of blocks, or 0 if it takes any
   * @param sample which ranks stand for all; the same for equal requests
   * @param detail how closely it is simulated
   */
  static PlacedPrice of(
      Algorithm algorithm,
      CostModel model,
      Request request,
      int fixed,
      Sample sample,
      Detail detail) {
    Key key =
        new Key(
            algorithm,
            model,
            request.size(),
            request.root(),
            request.ordered(),
            fixed,
            detail,
            request.topology());
    List<Simulations> known = new ArrayList<>();
    synchronized (PRICES) {
      PlacedPrice found = PRICES.get(key);
      if (found != null) {
        return found;
      }
      for (Detail other : Detail.values()) { // the same ranks may stand for all
        PlacedPrice like = PRICES.get(key.at(other));
        known.addAll(like == null ? List.of() : like.simulations());
      }
    }
    PlacedPrice made = new PlacedPrice(algorithm, model, request, fixed, sample, detail, known);
    synchronized (PRICES) { // the one that all ranks of the process simulate with
      PlacedPrice first = PRICES.putIfAbsent(key, made);
      return first == null ? made : first;
    }
  }

  /**
   * The time as a part of what the closed form says, with all bytes and without contention.
   *
   * @param blocks the number of blocks
   * @param bytesPerBlock their size
   */
  synchronized double ratio(int blocks, double bytesPerBlock) {
    double ratio = sample.ratio(blocks, bytesPerBlock);
    return few == null ? ratio : grown(few, ratio, blocks, bytesPerBlock);
  }

  /**
   * The ratio where there are more hosts than the sample has. What they add, the filling of a
   * pipeline included, is as much longer than the closed form says as what as many hosts add to a
   * few, of two blocks, since two trees have one each then; of one for each rank where parts are
   * cut.
   */
  private double grown(SampledPrice less, double ratio, int blocks, double bytesPerBlock) {
    Problem problem = sample.isFixed() ? whole : whole.withBlocks(blocks);
    List<Phase> path = algorithm.path(problem, model.fullDuplex());
    double all = form.nanos(algorithm.phases(problem), path, bytesPerBlock, 1);
    double some = sample.closed(blocks, bytesPerBlock);
    int counted = sample.unit() == 1 ? Math.min(blocks, FEW_BLOCKS) : whole.size();
    double from = less.closed(counted, bytesPerBlock);
    double to = twice.closed(counted, bytesPerBlock);
    if (to < LEAST_GROWTH * from || all <= some) {
      return ratio;
    }
    double added =
        (to * twice.ratio(counted, bytesPerBlock) - from * less.ratio(counted, bytesPerBlock))
            / (to - from);
    double least = sample.isFixed() ? 0 : ratio; // other blocks may wait for what is added
    return (some * ratio + (all - some) * Math.max(least, added)) / all;
  }

  /**
   * About the least part of the vector that passes the busiest network card in one direction,
   * counted for few blocks. Algorithms that have periods, or that do the same within hosts and
   * between them, begin and end with more; so they are counted for twice as many, too, and go on as
   * between the two.
   *
   * @param blocks the number of blocks
   * @return 1 for all of the vector, 2 for twice as much
   */
  synchronized double load(int blocks) {
    Problem counted = sample.problem();
    if (sample.isFixed()) {
      return passed(counted.blocks()) / counted.blocks();
    }
    Traits traits = algorithm.traits();
    boolean periodic = traits.has(Traits.Feature.PERIODIC);
    int least =
        periodic ? Math.max(1, Powers.ceilLog2(counted.size())) : FEW_BLOCKS * sample.unit();
    boolean grows = periodic || traits.has(Traits.Feature.HIERARCHICAL);
    if (!grows || blocks <= 2 * least) {
      int number = grows ? blocks : Math.min(blocks, least);
      int unit = sample.unit(); // as many of each part, as ranks are counted by host only then
      int whole = unit == 1 ? number : Math.max(1, Math.round((float) number / unit)) * unit;
      return passed(whole) / whole;
    }
    double some = passed(least);
    double more = passed(2 * least);
    return (more + (more - some) / least * (blocks - 2 * least)) / blocks;
  }

  /** How many blocks pass the busiest network card. */
  private double passed(int blocks) {
    return onBusiestCard.computeIfAbsent(
        blocks,
        number -> {
          Traffic traffic = Traffic.of(algorithm, sample.problem().withBlocks(number), 1, null);
          return traffic == null ? 0 : traffic.busiestBytes();
        });
  }

  /**
   * What part of the vector passes the busiest network card in one direction where there are more
   * ranks than the sample has: of a pipeline that knows no hosts, as in trees the fullest card
   * carries more, the higher they are, of an all-to-all that is not grown from few hosts, of which
   * less leaves each, or of what {@link #hidesWaysBetweenHosts hides} among few hosts what it sends
   * between them.
   *
   * @param many makes a larger sample, the same in every call
   * @return a part, 0 where the sample says it all or there are too many rounds to count
   */
  synchronized double loadOfMany(Supplier<Sample> many) {
    if (Double.isNaN(loadOfMany)) {
      Traits traits = algorithm.traits();
      boolean higher =
          sample.isPartial()
              && !sample.isFixed()
              && sample.unit() == 1
              && !traits.has(Traits.Feature.REGROUPING)
              && !traits.has(Traits.Feature.HIERARCHICAL);
      boolean toAll =
          few == null && sample.isPartial() && whole.collective() == Collective.ALLTOALL;
      boolean ofHost = toAll || hidesWaysBetweenHosts();
      loadOfMany = higher ? counted(many.get()) : ofHost ? ofFullestHost() : 0;
    }
    return loadOfMany;
  }

  /**
   * Whether few hosts of as many ranks each stand for all, of which some have fewer, in an
   * algorithm of ways of halved or doubled lengths. Ranks of even hosts may be counted one of each
   * in turn, so that its longest messages stay within hosts, which they do not among all.
   */
  private boolean hidesWaysBetweenHosts() {
    Traits traits = algorithm.traits();
    boolean halved = traits.has(Traits.Feature.HALVED_DISTANCES);
    boolean spread = halved || traits.has(Traits.Feature.DOUBLED_DISTANCES);
    return spread && sample.isFixed() && isEven(sample.problem()) && !isEven(whole);
  }

  /** Whether all hosts have as many ranks. */
  private static boolean isEven(Problem problem) {
    Topology topology = problem.topology();
    return topology.fewestRanksPerHost() == topology.mostRanksPerHost();
  }

  private double ofFullestHost() {
    Topology topology = whole.topology();
    int fullest = Sample.fullest(topology, topology.hosts(whole.size()));
    return Traffic.sent(algorithm, whole, fullest) / (double) whole.blocks();
  }

  private double counted(Sample many) {
    boolean periodic = algorithm.traits().has(Traits.Feature.PERIODIC);
    int blocks = periodic ? Math.max(1, Powers.ceilLog2(many.size())) : FEW_BLOCKS;
    Problem problem =
        new Problem(
            whole.collective(), many.size(), many.root(), blocks, whole.ordered(), many.topology());
    Traffic traffic = Traffic.of(algorithm, problem, 1, null);
    return traffic == null ? 0 : traffic.busiestBytes() / blocks;
  }
}
