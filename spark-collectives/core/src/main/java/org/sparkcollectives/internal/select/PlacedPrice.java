package org.sparkcollectives.internal.select;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.cost.ClosedForm;
import org.sparkcollectives.internal.cost.RankPlans;
import org.sparkcollectives.internal.cost.Simulator;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Candidate;
import org.sparkcollectives.select.Request;

/**
 * By how much an algorithm takes longer, or shorter, in a placement of several ranks on a host, or
 * of hosts in racks, than its closed form says, which knows no network cards. The simulator says
 * it, for {@link Sample} and few blocks: cards, uplinks, their queues, and messages that stay
 * within hosts. A pipeline of more blocks goes on as it did between the last two numbers of blocks.
 * Block sizes between those simulated, powers of 4, are interpolated. What was simulated is kept
 * for all selectors of the process.
 *
 * <p>An {@link Detail#EXACT} one of a placement that stands for itself is simulated as asked, if
 * that does not take too many rounds. Others are of fewer blocks, and a {@link Detail#ROUGH} one of
 * fewer ranks and the nearest size, too.
 */
final class PlacedPrice {
  private static final int KEPT = 256;

  private static final Map<Key, PlacedPrice> PRICES =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, PlacedPrice> eldest) {
          return size() > KEPT;
        }
      };

  /** Sizes of blocks are simulated at powers of 4, up to this one. */
  private static final int MOST_STEP = 20;

  /** Pipelines are simulated with powers of 2 of blocks, up to at least this power. */
  private static final int FEWEST_DOUBLINGS = 5;

  /** And up to this one. */
  private static final int MOST_DOUBLINGS = 7;

  /** The same where a sample stands for more ranks. */
  private static final int PARTIAL_DOUBLINGS = 6;

  /** The same where it is each rank's part that is pipelined. */
  private static final int PER_RANK_DOUBLINGS = 2;

  /** The same of prices that are not exact. */
  private static final int CLOSER_DOUBLINGS = 4;

  private static final int ROUGH_DOUBLINGS = 3;

  /** The same where more blocks make another tree. */
  private static final int REGROUPING_DOUBLINGS = 9;

  /** Schedules of more rounds of all ranks together are not simulated as asked. */
  private static final long MOST_ROUNDS = 1 << 17;

  /** What passes a card is counted for so many blocks. */
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
  private final CostModel model;
  private final Problem whole;
  private final Problem sample;
  private final boolean partial;
  private final Detail detail;
  private final ClosedForm form;
  private final @Nullable Samples[] samples;

  /** By the vector's number of blocks, how many of them pass the busiest card. */
  private final Map<Integer, Double> onBusiestCard = new HashMap<>();

  /** What part passes a card of many ranks, or NaN as long as nobody has asked. */
  private double loadOfMany = Double.NaN;

  /** How many blocks of a pipeline are simulated at least. */
  private final int unit;

  /** By what bytes of a block are multiplied so that rounds of the sample carry as much. */
  private final double scale;

  /** What was simulated with one number of blocks. */
  private static final class Samples {
    private final RankPlans plans;
    private final int blocks;
    private final double[] nanos = new double[MOST_STEP + 1];

    Samples(Algorithm algorithm, Problem problem) {
      this.blocks = problem.blocks();
      this.plans = RankPlans.of(problem, rank -> algorithm.schedule(problem, rank));
      Arrays.fill(nanos, Double.NaN);
    }
  }

  private PlacedPrice(
      Algorithm algorithm,
      CostModel model,
      Request request,
      int fixed,
      Sample taken,
      Detail detail) {
    this.algorithm = algorithm;
    this.model = taken.scaled(request.topology(), model);
    this.detail = detail;
    this.partial = taken.size() < request.size();
    this.whole = request.problem(Math.max(1, fixed));
    int most = fixed == 0 ? 1 : blocksOf(whole, taken.size(), fixed);
    this.sample =
        new Problem(
            whole.collective(),
            taken.size(),
            taken.root(),
            most,
            whole.ordered(),
            taken.topology());
    this.unit = algorithm.traits().has(Traits.Feature.UNEVEN) ? taken.size() : 1;
    this.form = new ClosedForm(this.model, taken.topology(), taken.size());
    this.samples = new Samples[fixed == 0 ? doublings() + 1 : 1];
    this.scale = fixed == 0 ? 1 : perRound(algorithm, whole) / perRound(algorithm, sample);
  }

  /** Twice as many blocks as there are rounds for one, as a power of 2. */
  private int doublings() {
    if (unit > 1) {
      return PER_RANK_DOUBLINGS;
    }
    if (detail != Detail.EXACT) {
      return detail == Detail.ROUGH ? ROUGH_DOUBLINGS : CLOSER_DOUBLINGS;
    }
    if (regroups() && !partial) {
      return REGROUPING_DOUBLINGS;
    }
    int fill = Powers.ceilLog2(algorithm.rounds(sample)) + 2;
    int most = partial ? PARTIAL_DOUBLINGS : MOST_DOUBLINGS;
    return Math.max(FEWEST_DOUBLINGS, Math.min(most, fill));
  }

  private boolean regroups() {
    return algorithm.traits().has(Traits.Feature.REGROUPING);
  }

  private int blocksOf(Problem whole, int size, int fixed) {
    if (whole.collective().divided()) {
      return size;
    }
    return whole.collective() == Collective.ALLTOALL
        ? size * size
        : Math.min(fixed, algorithm.naturalBlocks(size));
  }

  private static double perRound(Algorithm algorithm, Problem problem) {
    return Math.max(1, algorithm.blocksSent(problem))
        / (double) Math.max(1, algorithm.rounds(problem));
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
    synchronized (PRICES) {
      PlacedPrice found = PRICES.get(key);
      if (found != null) {
        return found;
      }
    }
    PlacedPrice made = new PlacedPrice(algorithm, model, request, fixed, sample, detail);
    synchronized (PRICES) {
      PRICES.put(key, made);
    }
    return made;
  }

  /**
   * The time as a part of what the closed form says, with all bytes and without contention.
   *
   * @param blocks the number of blocks
   * @param bytesPerBlock their size
   */
  synchronized double ratio(int blocks, double bytesPerBlock) {
    if (isSimulatedAsAsked(blocks)) {
      return asAsked(blocks, bytesPerBlock);
    }
    double exact = Math.log(Math.max(1, bytesPerBlock * scale)) / Math.log(4);
    double position = detail == Detail.ROUGH ? Math.rint(exact) : exact;
    int low = (int) Math.min(MOST_STEP - 1, position);
    double part = Math.min(1, position - low);
    double atLow = ratioAt(blocks, low);
    return part == 0 ? atLow : atLow + part * (ratioAt(blocks, low + 1) - atLow);
  }

  private boolean isSimulatedAsAsked(int blocks) {
    return detail == Detail.EXACT
        && !partial
        && (long) sample.size() * algorithm.rounds(sample.withBlocks(blocks)) <= MOST_ROUNDS;
  }

  private double asAsked(int blocks, double bytesPerBlock) {
    Problem problem = sample.withBlocks(blocks);
    return Simulator.run(
                model, problem, rank -> algorithm.schedule(problem, rank), bytesPerBlock, null)
            .nanos()
        / closed(problem, bytesPerBlock);
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
    if (samples.length == 1) {
      return passed(sample.blocks()) / sample.blocks();
    }
    Traits traits = algorithm.traits();
    boolean periodic = traits.has(Traits.Feature.PERIODIC);
    int few = periodic ? Math.max(1, Powers.ceilLog2(sample.size())) : FEW_BLOCKS * unit;
    boolean grows = periodic || traits.has(Traits.Feature.HIERARCHICAL);
    if (!grows || blocks <= 2 * few) {
      int counted = grows ? blocks : Math.min(blocks, few);
      return passed(counted) / counted;
    }
    double some = passed(few);
    double more = passed(2 * few);
    return (more + (more - some) / few * (blocks - 2 * few)) / blocks;
  }

  /** How many blocks pass the busiest network card. */
  private double passed(int blocks) {
    return onBusiestCard.computeIfAbsent(
        blocks,
        number -> {
          Candidate.Card card = BusiestCard.of(algorithm, sample.withBlocks(number), 1, null);
          return card == null ? 0 : card.bytes();
        });
  }

  /**
   * What part of the vector passes the busiest network card in one direction where there are more
   * ranks than the sample has: of an all-to-all, where less leaves each of a few hosts, or of a
   * pipeline that knows no hosts, as in trees the fullest card carries more, the higher they are.
   *
   * @param many makes a larger sample, the same in every call
   * @return a part, 0 where the sample says it all or there are too many rounds to count
   */
  synchronized double loadOfMany(Supplier<Sample> many) {
    if (Double.isNaN(loadOfMany)) {
      boolean hosts = algorithm.traits().has(Traits.Feature.HIERARCHICAL);
      boolean higher = partial && samples.length > 1 && unit == 1 && !regroups() && !hosts;
      boolean toAll = partial && whole.collective() == Collective.ALLTOALL;
      loadOfMany = higher ? counted(many.get()) : toAll ? ofFullestHost() : 0;
    }
    return loadOfMany;
  }

  private double ofFullestHost() {
    Topology topology = whole.topology();
    int fullest = Sample.fullest(topology, topology.hosts(whole.size()));
    return BusiestCard.sent(algorithm, whole, fullest) / (double) whole.blocks();
  }

  private double counted(Sample many) {
    boolean periodic = algorithm.traits().has(Traits.Feature.PERIODIC);
    int blocks = periodic ? Math.max(1, Powers.ceilLog2(many.size())) : FEW_BLOCKS;
    Problem problem =
        new Problem(
            sample.collective(),
            many.size(),
            many.root(),
            blocks,
            sample.ordered(),
            many.topology());
    Candidate.Card card = BusiestCard.of(algorithm, problem, 1, null);
    return card == null ? 0 : card.bytes() / blocks;
  }

  private double ratioAt(int blocks, int step) {
    int last = samples.length - 1;
    if (last == 0 || (regroups() && blocks >= 1 << last)) {
      return simulated(last, step) / closed(samples(last).blocks, step);
    }
    int index = Math.min(last - 1, Powers.floorLog2(Math.max(1, blocks / unit)));
    double before = simulated(index, step);
    double from = closed(unit << index, step);
    if (blocks <= unit << index) {
      return before / from;
    }
    double after = simulated(index + 1, step);
    double to = closed(unit << (index + 1), step);
    double asked = closed(blocks, step);
    return (before + (after - before) * (asked - from) / (to - from)) / asked;
  }

  private double closed(int blocks, int step) {
    return closed(sample.withBlocks(blocks), bytes(step));
  }

  private double closed(Problem problem, double bytesPerBlock) {
    return form.nanos(algorithm.phases(problem), algorithm.path(problem), bytesPerBlock, 1);
  }

  private static double bytes(int step) {
    return step == 0 ? 0 : Math.pow(4, step);
  }

  private double simulated(int index, int step) {
    Samples all = samples(index);
    if (Double.isNaN(all.nanos[step])) {
      all.nanos[step] = Simulator.run(model, all.plans, bytes(step), null).nanos();
    }
    return all.nanos[step];
  }

  private Samples samples(int index) {
    Samples found = samples[index];
    if (found == null) {
      int blocks = samples.length == 1 ? sample.blocks() : unit << index;
      found = new Samples(algorithm, sample.withBlocks(blocks));
      samples[index] = found;
    }
    return found;
  }
}
