package org.sparkcollectives.internal.select;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.cost.ClosedForm;
import org.sparkcollectives.internal.cost.RankPlans;
import org.sparkcollectives.internal.cost.Simulator;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Request;

/**
 * By how much an algorithm takes longer, or shorter, in a placement of several ranks on a host than
 * its closed form says, which knows no network cards. The simulator says it, for {@link Sample} and
 * few blocks: cards, their queues, and messages that stay within hosts. A pipeline of more blocks
 * goes on as it did between the last two numbers of blocks. Block sizes between those simulated,
 * powers of 4, are interpolated. What was simulated is kept for all selectors of the process.
 *
 * <p>A rough one, which is enough to choose by, is of fewer ranks, fewer blocks and the nearest
 * size.
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

  /** The same of rough prices. */
  private static final int ROUGH_DOUBLINGS = 4;

  /** The same where more blocks make another tree. */
  private static final int REGROUPING_DOUBLINGS = 9;

  private record Key(
      Algorithm algorithm,
      CostModel model,
      int size,
      int root,
      boolean ordered,
      int fixed,
      boolean rough,
      Topology topology) {}

  private final Algorithm algorithm;
  private final CostModel model;
  private final Problem sample;
  private final boolean partial;
  private final boolean rough;
  private final ClosedForm form;
  private final @Nullable Samples[] samples;

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
      boolean rough) {
    this.algorithm = algorithm;
    this.model = model;
    this.rough = rough;
    this.partial = taken.size() < request.size();
    Problem whole = request.problem(Math.max(1, fixed));
    int most = fixed == 0 ? 1 : blocksOf(whole, taken.size(), fixed);
    this.sample =
        new Problem(
            whole.collective(),
            taken.size(),
            taken.root(),
            most,
            whole.ordered(),
            taken.topology());
    this.form = new ClosedForm(model, taken.topology(), taken.size());
    this.samples = new Samples[fixed == 0 ? doublings() + 1 : 1];
    this.scale = fixed == 0 ? 1 : perRound(algorithm, whole) / perRound(algorithm, sample);
  }

  /** Twice as many blocks as there are rounds for one, as a power of 2. */
  private int doublings() {
    if (rough) {
      return ROUGH_DOUBLINGS;
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
    return switch (whole.collective()) {
      case REDUCE_SCATTER, ALLGATHER, SCATTER, GATHER -> size;
      case ALLTOALL -> size * size;
      default -> Math.min(fixed, algorithm.naturalBlocks(size));
    };
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
   * @param rough whether few ranks and blocks are enough
   */
  static PlacedPrice of(
      Algorithm algorithm,
      CostModel model,
      Request request,
      int fixed,
      Sample sample,
      boolean rough) {
    Key key =
        new Key(
            algorithm,
            model,
            request.size(),
            request.root(),
            request.ordered(),
            fixed,
            rough,
            request.topology());
    synchronized (PRICES) {
      PlacedPrice found = PRICES.get(key);
      if (found != null) {
        return found;
      }
    }
    PlacedPrice made = new PlacedPrice(algorithm, model, request, fixed, sample, rough);
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
    double exact = Math.log(Math.max(1, bytesPerBlock * scale)) / Math.log(4);
    double position = rough ? Math.rint(exact) : exact;
    int low = (int) Math.min(MOST_STEP - 1, position);
    double part = Math.min(1, position - low);
    double atLow = ratioAt(blocks, low);
    return part == 0 ? atLow : atLow + part * (ratioAt(blocks, low + 1) - atLow);
  }

  private double ratioAt(int blocks, int step) {
    int last = samples.length - 1;
    if (last == 0 || (regroups() && blocks >= 1 << last)) {
      return simulated(last, step) / closed(samples(last).blocks, step);
    }
    int index = Math.min(last - 1, Powers.floorLog2(blocks));
    double before = simulated(index, step);
    double from = closed(1 << index, step);
    if (blocks == 1 << index) {
      return before / from;
    }
    double after = simulated(index + 1, step);
    double to = closed(2 << index, step);
    double asked = closed(blocks, step);
    return (before + (after - before) * (asked - from) / (to - from)) / asked;
  }

  private double closed(int blocks, int step) {
    Problem problem = sample.withBlocks(blocks);
    return form.nanos(algorithm.phases(problem), algorithm.path(problem), bytes(step), 1);
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
      int blocks = samples.length == 1 ? sample.blocks() : 1 << index;
      found = new Samples(algorithm, sample.withBlocks(blocks));
      samples[index] = found;
    }
    return found;
  }
}
