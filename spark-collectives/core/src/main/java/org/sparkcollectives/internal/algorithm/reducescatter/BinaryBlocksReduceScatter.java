package org.sparkcollectives.internal.algorithm.reducescatter;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;
import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.pieces;

import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.EvenParts;
import org.sparkcollectives.internal.shape.BinaryBlocks;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Reduce-scatter by halving in runs of ranks whose lengths are powers of two.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 5.2,
 * where it begins a reduction, and Section 4.4 for the halving.
 *
 * <p><b>Idea.</b> p is a sum of powers of two, and the ranks are cut into runs of these lengths,
 * the longest first, of {@code P = 2^e} ranks. Place q of P stands for the parts of ranks q and P +
 * q. Each run halves the places until a rank holds its share of them; from the shortest run on,
 * each rank sends its share, cut further, to the ranks of the next longer run that hold these
 * pieces. The longest run then has one place at each rank, and sends on what is not its own.
 * Without order the distances halve and place q ends at rank q. In order they double, so that only
 * neighbours are combined; place q then ends at the rank with the bits of q in reverse, and one
 * round more brings it to rank q.
 *
 * <p><b>Cost.</b> For m bytes: p = 2^k: k rounds, kα + m(1 - 1/p)(β + γ), as {@code
 * recursive-halving}; in order a round more. Otherwise the rounds of {@code binary-blocks} for
 * allreduce up to its second half, and one to hand out parts; a rank sends m bytes.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 3, b = 3: 0→1 block 1, 1→0 blocks 0 and 2; 2→0 blocks 0 and 2; 2→1 block
 * 1; 0→2 block 2.
 */
public final class BinaryBlocksReduceScatter extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public BinaryBlocksReduceScatter() {
    super(
        Collective.REDUCE_SCATTER,
        "binary-blocks",
        new Traits(
            true,
            "mpich 2005, 5.2",
            "halving in runs of 2^e ranks; for long vectors and any p",
            "log2 p; in order and p not a power of two: <= log2 q + 4q/(t 2^c) + 2c - 2;"
                + " p not a power of two: <= log2 q + 4q/(t 2^c) + 2c - 3;"
                + " in order: <= log2 p + 1",
            "b - floor(b/p); p not a power of two: b; in order: b"));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    BinaryBlocks runs = new BinaryBlocks(problem.size());
    int index = runs.indexOf(rank);
    PlacesOfRun run = new PlacesOfRun(problem, runs, index);
    int exponent = run.exponent();
    int member = rank - runs.first(index);
    for (int level = 0; level < exponent; level++) {
      int other = run.other(member, level);
      builder.send(level, run.rank(other), pieces(VECTOR, run.held(other, level + 1)));
      builder.receiveInOrder(level, run.rank(other), run.held(member, level + 1));
    }
    if (index > 0) {
      PlacesOfRun longer = new PlacesOfRun(problem, runs, index - 1);
      int cuts = longer.exponent() - exponent;
      int start = Math.max(longer.exponent(), runs.gathered(index));
      for (int piece = 0; piece < 1 << cuts; piece++) {
        int other = longer.share(run.share(member) << cuts | piece);
        List<BlockRange> blocks = longer.held(other, longer.exponent());
        builder.send(start + piece, longer.rank(other), pieces(VECTOR, blocks));
      }
    }
    if (index + 1 < runs.count()) {
      PlacesOfRun shorter = new PlacesOfRun(problem, runs, index + 1);
      int cuts = exponent - shorter.exponent();
      int start = Math.max(exponent, runs.gathered(index + 1));
      int piece = run.share(member) & ((1 << cuts) - 1);
      int other = shorter.share(run.share(member) >> cuts);
      builder.receiveInOrder(start + piece, shorter.rank(other), run.held(member, exponent));
    }
    handOut(new PlacesOfRun(problem, runs, 0), rank, builder);
  }

  private static void handOut(PlacesOfRun longest, int rank, ScheduleBuilder builder) {
    Problem problem = longest.problem();
    int length = 1 << longest.exponent();
    int round = longest.runs().gathered(0);
    BlockRange own = part(problem, rank);
    builder.own(own);
    if (rank >= length) {
      int from = longest.share(rank - length);
      builder.receive(round + (longest.permutes() ? 1 : 0), from, VECTOR, own);
      return;
    }
    int place = longest.share(rank);
    if (place != rank) {
      builder.send(round, place, VECTOR, part(problem, place));
      builder.receive(round, place, VECTOR, own);
    }
    if (length + place < problem.size()) {
      int above = length + place;
      builder.send(round + (longest.permutes() ? 1 : 0), above, VECTOR, part(problem, above));
    }
  }

  private static BlockRange part(Problem problem, int rank) {
    return EvenParts.of(problem.blocks(), problem.size(), rank);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    BinaryBlocks runs = new BinaryBlocks(problem.size());
    PlacesOfRun longest = new PlacesOfRun(problem, runs, 0);
    int[] sizes = new int[runs.gathered(0)];
    for (int run = 0; run < runs.count(); run++) {
      int exponent = runs.exponent(run);
      for (int level = 1; level <= exponent; level++) {
        sizes[level - 1] = Math.max(sizes[level - 1], longest.largest(level));
      }
      if (run > 0) {
        int longer = runs.exponent(run - 1);
        int start = Math.max(longer, runs.gathered(run));
        for (int round = start; round < start + (1 << (longer - exponent)); round++) {
          sizes[round] = Math.max(sizes[round], longest.largest(longer));
        }
      }
    }
    List<Phase> phases = new ArrayList<>();
    for (int size : sizes) {
      phases.add(new Phase(1, size, size));
    }
    int part = EvenParts.largest(problem.blocks(), problem.size());
    int handingOut = longest.permutes() && (runs.count() > 1 || longest.moves()) ? 1 : 0;
    phases.add(new Phase(handingOut + (runs.count() > 1 ? 1 : 0), part));
    return Phase.merged(phases);
  }

  /** {@inheritDoc} A run that waits for a shorter one is done with most of its own by then. */
  @Override
  protected int longestChain(Problem problem) {
    boolean oneRun = Powers.isPowerOfTwo(problem.size());
    return oneRun ? super.longestChain(problem) : Powers.ceilLog2(problem.size());
  }

  /**
   * {@inheritDoc}
   *
   * <p>A rank of a shorter run sends all it has, and so does one whose place is another rank's.
   */
  @Override
  public long blocksSent(Problem problem) {
    int blocks = problem.blocks();
    BinaryBlocks runs = new BinaryBlocks(problem.size());
    boolean all = runs.count() > 1 || new PlacesOfRun(problem, runs, 0).permutes();
    return all ? blocks : (long) blocks - blocks / problem.size();
  }
}
