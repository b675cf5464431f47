package org.sparkcollectives.internal.select;

import java.util.List;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.cost.Simulator;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.select.Request;

/** Finds the number of blocks with which an algorithm costs least, by closed forms. */
final class BlockSearch {
  /** More blocks would make schedules long without making them faster. */
  static final int MOST_BLOCKS = 1 << 16;

  /** A block is at least so many times as long as a message's header. */
  private static final int HEADERS_PER_BLOCK = 8;

  /** A block takes at least this part of the gap between messages to send. */
  private static final double LEAST_PART_OF_GAP = 0.25;

  /** By what the number of blocks is multiplied and divided in search of a better one. */
  private static final double[] FACTORS = {1.25, 1.05};

  /** The search begins with the estimate times 2 to the power of at most this, either way. */
  private static final int WIDTH = 3;

  /** Within so many blocks prices rise and fall, as pipelines end in odd or even rounds. */
  private static final int RIPPLE = 4;

  /** Numbers of blocks that parts are cut into are tried so many times apart. */
  private static final double CUT_FACTOR = 1.3;

  /** A quarter of what a rank may send ahead of its peer, so that it has the next block ready. */
  private static final int SHORT_BYTES = Simulator.AHEAD_BYTES / 4;

  private static final int FEW = 16;
  private static final int MANY = 1024;

  private final CostModel model;
  private final Request request;
  private final LevelCost farthest;
  private final Prices prices;

  /** Prices of an algorithm by its number of blocks. */
  @FunctionalInterface
  interface Prices {
    Choice of(Algorithm algorithm, int blocks);
  }

  /**
   * A search for the algorithms of a request.
   *
   * @param farthest what messages cost that go as far as they can
   * @param prices what is searched
   */
  BlockSearch(CostModel model, Request request, LevelCost farthest, Prices prices) {
    this.model = model;
    this.request = request;
    this.farthest = farthest;
    this.prices = prices;
  }

  /**
   * The number of blocks that makes a pipelined algorithm fastest. With a + bk rounds of one block,
   * the time (a + bk)(g + βm/k) would be least at k* = √(aβm / bg) (two-tree 2009, Section 4.1);
   * from there on the prices themselves are searched.
   */
  Choice best(Algorithm algorithm) {
    int most = mostBlocks();
    Choice found = aboutBest(algorithm);
    for (double factor : FACTORS) {
      found = walk(algorithm, found, factor, most);
      found = walk(algorithm, found, 1 / factor, most);
    }
    Choice before;
    do {
      before = found;
      for (int distance : new int[] {request.size(), RIPPLE, 3, 2, 1}) {
        for (int change : new int[] {-distance, distance}) {
          int next = Math.max(1, Math.min(most, before.problem().blocks() + change));
          found = Choice.cheaper(found, prices.of(algorithm, next));
        }
      }
    } while (found.nanos() < before.nanos());
    return found;
  }

  /**
   * How many blocks equal parts are cut into, where what ranks do within hosts goes on beside what
   * cards pass, of which a price knows nothing, as long as blocks are short.
   */
  int shortCut() {
    int size = request.size();
    long each = Math.round(Math.ceil(request.bytes() / ((double) size * SHORT_BYTES)));
    return (int) Math.max(size, Math.min(mostBlocks() / size, each) * size);
  }

  /** About how many blocks suit an algorithm that cuts long parts into more of them. */
  int bestCut(Algorithm algorithm) {
    int best = 1;
    int before = 0;
    double least = Double.MAX_VALUE;
    for (double blocks = 1; blocks <= mostBlocks(); blocks *= CUT_FACTOR) {
      int rounded = (int) blocks;
      if (rounded == before) {
        continue;
      }
      before = rounded;
      double nanos = prices.of(algorithm, rounded).nanos();
      if (nanos < least) {
        least = nanos;
        best = rounded;
      }
    }
    return best;
  }

  /** The best of a few numbers around the estimate. */
  Choice aboutBest(Algorithm algorithm) {
    int most = mostBlocks();
    double estimate = estimate(algorithm);
    Choice found = prices.of(algorithm, 1);
    for (int power = -WIDTH; power <= WIDTH; power++) {
      double blocks = Math.max(1, Math.min(most, estimate * StrictMath.pow(2, power)));
      found = Choice.cheaper(found, prices.of(algorithm, (int) Math.round(blocks)));
      double runs = Math.max(1, Math.rint(blocks / request.size())); // as pipelines in runs of p
      found =
          Choice.cheaper(found, prices.of(algorithm, (int) Math.min(most, runs * request.size())));
    }
    return found;
  }

  /**
   * The number of blocks that suits the closed form of the sample; of a pipeline that is longer
   * than the sample's, more by the root of that.
   */
  int ofAllRanks(Algorithm algorithm, Choice ofSample) {
    int blocks = ofSample.problem().blocks();
    if (ofSample.problem().size() == request.size()) {
      return blocks;
    }
    double fill = Math.max(1, algorithm.rounds(request.problem(1)));
    double its = Math.max(1, algorithm.rounds(ofSample.problem().withBlocks(1)));
    return (int) Math.max(1, Math.min(mostBlocks(), Math.rint(blocks * Math.sqrt(fill / its))));
  }

  /** Multiplies the number of blocks by a factor as long as that makes it cheaper. */
  private Choice walk(Algorithm algorithm, Choice from, double factor, int most) {
    Choice best = from;
    while (true) {
      int next = (int) Math.round(best.problem().blocks() * factor);
      Choice then = prices.of(algorithm, Math.max(1, Math.min(most, next)));
      if (!(then.nanos() < best.nanos())) { // nor if it is no number
        return best;
      }
      best = then;
    }
  }

  private double estimate(Algorithm algorithm) {
    double few = algorithm.rounds(request.problem(FEW));
    double many = algorithm.rounds(request.problem(MANY));
    double perBlock = (many - few) / (MANY - FEW);
    double fill = few - FEW * perBlock;
    if (perBlock <= 0 || fill <= 0) {
      return 1;
    }
    double start = farthest.occupiedNanos(0, 1);
    List<Phase> phases = algorithm.phases(request.problem(FEW));
    int combined = phases.stream().mapToInt(Phase::combined).max().orElse(0);
    double perByte = farthest.betaNanosPerByte() + combined * model.gammaNanosPerByte();
    return Math.sqrt(fill * perByte * request.bytes() / (perBlock * start));
  }

  private int mostBlocks() {
    double least =
        Math.max(
            HEADERS_PER_BLOCK * CostModel.HEADER_BYTES,
            LEAST_PART_OF_GAP * farthest.gapNanos() / farthest.betaNanosPerByte());
    double fitting = Math.min(MOST_BLOCKS, request.bytes() / least);
    return (int) Math.max(1, Math.min(fitting, request.units()));
  }
}
