package org.sparkcollectives.internal.select;

import java.util.Collection;
import java.util.List;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.cost.ClosedForm;
import org.sparkcollectives.internal.cost.Simulator;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.select.Request;

/**
 * What an algorithm takes among the ranks of a sample, by the simulator, for few blocks. A pipeline
 * of more blocks goes on as it did between the last two numbers of blocks. Block sizes between
 * those simulated, powers of 4, are interpolated. What was simulated is kept.
 */
final class SampledPrice {
  /** Pipelines are simulated with powers of 2 of blocks, up to at least this power. */
  private static final int FEWEST_DOUBLINGS = 5;

  /** And up to this one. */
  private static final int MOST_DOUBLINGS = 7;

  /** The same where a sample stands for more ranks. */
  private static final int PARTIAL_DOUBLINGS = 6;

  /** The same where it is each rank's part that is pipelined. */
  private static final int PER_RANK_DOUBLINGS = 2;

  /**
   * The same of prices that are not exact, but where slack makes each block take longer until it is
   * used up.
   */
  private static final int CLOSER_DOUBLINGS = 4;

  private static final int ROUGH_DOUBLINGS = 3;

  /** The same where more blocks make another tree. */
  private static final int REGROUPING_DOUBLINGS = Simulations.MOST_DOUBLINGS;

  /** The same where ranks send ahead of others until these have no room left. */
  private static final int MOST_UNTIL_FULL = Simulations.MOST_DOUBLINGS;

  /** Schedules of more rounds of all ranks together are not simulated as asked. */
  private static final long MOST_ROUNDS = 1 << 17;

  private final Algorithm algorithm;
  private final CostModel model;
  private final Problem sample;
  private final int size;
  private final boolean fixed;
  private final Detail detail;
  private final ClosedForm form;
  private final Simulations simulations;

  /** How many blocks of a pipeline are simulated at least. */
  private final int unit;

  /** By what bytes of a block are multiplied so that rounds of the sample carry as much. */
  private final double scale;

  /**
   * Nothing simulated yet, or what others have simulated.
   *
   * @param request what the sample stands for
   * @param blocks the number of blocks that the algorithm has there, or 0 if it takes any
   * @param taken the sample
   * @param detail how closely it is simulated
   * @param known what the algorithm was simulated with
   */
  SampledPrice(
      Algorithm algorithm,
      CostModel model,
      Request request,
      int blocks,
      Sample taken,
      Detail detail,
      Collection<Simulations> known) {
    this.algorithm = algorithm;
    this.model =
        crossesSeldom(algorithm, request) ? model : taken.scaled(request.topology(), model);
    this.detail = detail;
    this.size = request.size();
    this.fixed = blocks > 0;
    Problem whole = request.problem(Math.max(1, blocks));
    this.sample =
        new Problem(
            whole.collective(),
            taken.size(),
            taken.root(),
            fixed ? blocksOf(whole, taken.size(), blocks) : 1,
            whole.ordered(),
            taken.topology());
    this.unit = algorithm.traits().has(Traits.Feature.UNEVEN) ? taken.size() : 1;
    this.form = new ClosedForm(this.model, taken.topology(), taken.size());
    this.simulations = simulations(known);
    this.scale = fixed ? perRound(algorithm, whole) / perRound(algorithm, sample) : 1;
  }

  private Simulations simulations(Collection<Simulations> known) {
    int least = fixed ? sample.blocks() : unit;
    return known.stream()
        .filter(each -> each.isOf(model, sample, least))
        .findFirst()
        .orElseGet(() -> new Simulations(algorithm, model, sample, least));
  }

  /** What is simulated for it, for others to know. */
  Simulations simulations() {
    return simulations;
  }

  /**
   * Whether a rack's uplink carries about as many messages of a round whatever number of hosts it
   * has: ranks are counted rack by rack, and no more of a host exchange with others the more hosts
   * there are, or hosts that are counted so are the nodes of two trees.
   */
  private static boolean crossesSeldom(Algorithm algorithm, Request request) {
    Traits traits = algorithm.traits();
    boolean trees = traits.has(Traits.Feature.SLACK);
    boolean seldom = trees || !traits.has(Traits.Feature.HIERARCHICAL);
    return seldom && traits.has(Traits.Feature.BY_HOST) && !request.ordered();
  }

  /** Twice as many blocks as there are rounds for one, as a power of 2. */
  private int doublings() {
    if (unit > 1) {
      return PER_RANK_DOUBLINGS;
    }
    if (detail == Detail.ROUGH) {
      return ROUGH_DOUBLINGS;
    }
    if (regroups() && !isPartial()) {
      return REGROUPING_DOUBLINGS;
    }
    if (detail == Detail.CLOSER && !waitsForSlack()) {
      return CLOSER_DOUBLINGS;
    }
    int fill = Powers.ceilLog2(algorithm.rounds(sample)) + 2;
    int most = isPartial() ? PARTIAL_DOUBLINGS : MOST_DOUBLINGS;
    return Math.max(FEWEST_DOUBLINGS, Math.min(most, fill));
  }

  /**
   * Whether each block takes longer until slack is used up. Of what is {@link PlacedPrice grown}
   * from few hosts and blocks, few blocks say it as well.
   */
  private boolean waitsForSlack() {
    Traits traits = algorithm.traits();
    return traits.has(Traits.Feature.SLACK)
        && (!isPartial() || traits.has(Traits.Feature.HIERARCHICAL));
  }

  /**
   * The same for blocks of a size. A rank that cannot send and receive at once sends what others
   * can keep before it receives again, and goes on otherwise when they are full.
   */
  private int doublings(int step) {
    int usual = doublings();
    if (model.fullDuplex() || unit > 1 || isPartial()) {
      return usual;
    }
    double untilFull = Simulator.AHEAD_BYTES / Math.max(1, Simulations.bytes(step));
    int power = untilFull < 1 ? 0 : Math.getExponent(untilFull) + 2;
    return Math.max(usual, Math.min(MOST_UNTIL_FULL, power));
  }

  private boolean regroups() {
    return algorithm.traits().has(Traits.Feature.REGROUPING);
  }

  private int blocksOf(Problem whole, int ranks, int blocks) {
    if (whole.collective().divided()) {
      return ranks;
    }
    return whole.collective() == Collective.ALLTOALL
        ? ranks * ranks
        : Math.min(blocks, algorithm.naturalBlocks(ranks));
  }

  private static double perRound(Algorithm algorithm, Problem problem) {
    return Math.max(1, algorithm.blocksSent(problem))
        / (double) Math.max(1, algorithm.rounds(problem));
  }

  /** The sample's problem, of its number of blocks or of one. */
  Problem problem() {
    return sample;
  }

  /** Whether the sample stands for more ranks than it has. */
  boolean isPartial() {
    return sample.size() < size;
  }

  /** Whether the algorithm has a number of blocks and does not pipeline. */
  boolean isFixed() {
    return fixed;
  }

  /** The fewest blocks of a pipeline: one, or one for each rank's part. */
  int unit() {
    return unit;
  }

  /**
   * What the closed form says, with all bytes and without contention.
   *
   * @param asked the number of blocks of all ranks
   * @param bytesPerBlock their size
   */
  double closed(int asked, double bytesPerBlock) {
    return closed(sample.withBlocks(blocks(asked)), bytesPerBlock * scale);
  }

  /**
   * The time as a part of what the closed form says.
   *
   * @param asked the number of blocks of all ranks
   * @param bytesPerBlock their size
   */
  double ratio(int asked, double bytesPerBlock) {
    int blocks = blocks(asked);
    if (isSimulatedAsAsked(blocks)) {
      return asAsked(blocks, bytesPerBlock);
    }
    double exact = StrictMath.log(Math.max(1, bytesPerBlock * scale)) / StrictMath.log(4);
    double position = detail == Detail.ROUGH ? Math.rint(exact) : exact;
    int low = (int) Math.min(Simulations.MOST_STEP - 1, position);
    double part = Math.min(1, position - low);
    double atLow = ratioAt(blocks, low);
    return part == 0 ? atLow : atLow + part * (ratioAt(blocks, low + 1) - atLow);
  }

  /** Those that the algorithm has, or as many of each rank's part as there are of all ranks. */
  private int blocks(int ofAll) {
    if (fixed) {
      return sample.blocks();
    }
    return unit == 1 ? ofAll : (int) Math.max(1, Math.round((double) ofAll / size)) * unit;
  }

  /**
   * Of what does not pipeline that takes no longer than two sizes of blocks around the right one.
   */
  private boolean isSimulatedAsAsked(int blocks) {
    return (detail == Detail.EXACT || (detail == Detail.CLOSER && fixed))
        && !isPartial()
        && (long) sample.size() * algorithm.rounds(sample.withBlocks(blocks)) <= MOST_ROUNDS;
  }

  private double asAsked(int blocks, double bytesPerBlock) {
    Problem problem = sample.withBlocks(blocks);
    double nanos =
        detail == Detail.CLOSER
            ? simulations.nanos(bytesPerBlock)
            : Simulator.run(
                    model, problem, rank -> algorithm.executed(problem, rank), bytesPerBlock, null)
                .nanos();
    return nanos / closed(problem, bytesPerBlock);
  }

  private double ratioAt(int blocks, int step) {
    int last = fixed ? 0 : doublings(step);
    if (last == 0 || (regroups() && blocks >= 1 << last)) {
      return simulations.nanos(last, step) / closed(simulations.blocks(last), step);
    }
    int index = Math.min(last - 1, Powers.floorLog2(Math.max(1, blocks / unit)));
    double before = simulations.nanos(index, step);
    double from = closed(unit << index, step);
    if (blocks <= unit << index) {
      return before / from;
    }
    double after = simulations.nanos(index + 1, step);
    double to = closed(unit << (index + 1), step);
    double asked = closed(blocks, step);
    return (before + (after - before) * (asked - from) / (to - from)) / asked;
  }

  private double closed(int blocks, int step) {
    return closed(sample.withBlocks(blocks), Simulations.bytes(step));
  }

  private double closed(Problem problem, double bytesPerBlock) {
    List<Phase> path = algorithm.path(problem, model.fullDuplex());
    return form.nanos(algorithm.phases(problem), path, bytesPerBlock, 1);
  }
}
