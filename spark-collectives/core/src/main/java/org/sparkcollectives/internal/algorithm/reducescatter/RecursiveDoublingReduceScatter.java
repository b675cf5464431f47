package org.sparkcollectives.internal.algorithm.reducescatter;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.EvenParts;
import org.sparkcollectives.internal.algorithm.pattern.FoldedParts;
import org.sparkcollectives.internal.shape.FoldedRanks;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Reduce-scatter by recursive doubling, in rank order.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 4.4.
 *
 * <p><b>Idea.</b> In round s ranks at distance {@code 2^s} exchange what the other one still has a
 * use for: its own part and the parts of all ranks outside the {@code 2^(s+1)} that have then been
 * joined. The paper sends the parts of the other half of these ranks too. With r ranks more than a
 * power of two p', the first 2r ranks first join in pairs: the odd one sends its vector to the even
 * one, and gets its part at the end.
 *
 * <p><b>Cost.</b> For m bytes: p = 2^k: k rounds, kα + m(k - 2 + (k + 2)/p)(β + γ). Otherwise log2
 * p' + 2 rounds and about 2m more.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector; received operands are combined at once.
 *
 * <p><b>Example.</b> p = 4, b = 4: 0→1 and 2→3 blocks 1 to 3 and 0, 1, 3, 1→0 and 3→2 blocks 0, 2,
 * 3 and 0 to 2; 0→2 block 2, 2→0 block 0, 1→3 block 3, 3→1 block 1.
 */
public final class RecursiveDoublingReduceScatter extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public RecursiveDoublingReduceScatter() {
    super(
        Collective.REDUCE_SCATTER,
        "recursive-doubling",
        new Traits(
            true,
            "mpich 2005, 4.4",
            "what is still of use between ranks at doubling distances; for short vectors",
            "log2 p; p not a power of two: <= log2 q + 2",
            "<= b (log2 p - 2 + (log2 p + 2)/p) + log2 p; p not a power of two: <= b log2 q"));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    FoldedRanks folded = new FoldedRanks(problem.size());
    FoldedParts parts = new FoldedParts(problem.blocks(), folded);
    parts.fold(builder, rank);
    if (folded.isFoldedAway(rank)) {
      return;
    }
    int start = folded.extra() > 0 ? 1 : 0;
    int member = folded.member(rank);
    for (int level = 0; level < folded.levels(); level++) {
      int other = member ^ (1 << level);
      int peer = folded.rank(other);
      List<BlockRange> sent = useful(parts, other, level + 1);
      builder.send(start + level, peer, ScheduleBuilder.pieces(VECTOR, sent));
      builder.receiveInOrder(start + level, peer, useful(parts, member, level + 1));
    }
  }

  /** What a member has a use for when it is one of {@code 2^level} that have been joined. */
  private static List<BlockRange> useful(FoldedParts parts, int member, int level) {
    BlockRange group = parts.group(member, level);
    return List.of(
        new BlockRange(0, group.from()),
        parts.group(member, 0),
        new BlockRange(group.to(), parts.blocks()));
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    FoldedRanks folded = new FoldedRanks(problem.size());
    FoldedParts parts = new FoldedParts(problem.blocks(), folded);
    int blocks = problem.blocks();
    List<Phase> phases = new ArrayList<>();
    phases.add(new Phase(folded.extra() > 0 ? 1 : 0, blocks, blocks, false, false));
    for (int level = 1; level <= folded.levels(); level++) {
      int most = largest(parts, level);
      phases.add(new Phase(1, most, most));
    }
    int part = EvenParts.largest(blocks, problem.size());
    phases.add(new Phase(parts.foldedHaveBlocks() ? 1 : 0, part, 0, false, false));
    return phases;
  }

  /** A bound for {@link #useful}, from the first, the last, and the last group with a partner. */
  private static int largest(FoldedParts parts, int level) {
    FoldedRanks folded = parts.folded();
    int last = (1 << folded.levels()) - 1;
    int most = 0;
    for (int member : new int[] {0, last, folded.extra()}) {
      int first = member >> level << level;
      int length = folded.rank(first + (1 << level)) - folded.rank(first);
      int own = first < folded.extra() ? 2 : 1;
      int joined = (int) ((long) length * parts.blocks() / folded.size());
      int use = parts.blocks() - joined + EvenParts.largest(parts.blocks(), folded.size(), own);
      most = Math.max(most, Math.min(use, parts.blocks()));
    }
    return most;
  }

  @Override
  public long blocksSent(Problem problem) {
    FoldedRanks folded = new FoldedRanks(problem.size());
    FoldedParts parts = new FoldedParts(problem.blocks(), folded);
    long most = folded.extra() > 0 ? problem.blocks() : 0;
    for (int member = 0; member < 1 << folded.levels(); member++) {
      int rank = folded.rank(member);
      long sum = folded.hasPartner(rank) ? parts.own(rank + 1).size() : 0;
      for (int level = 0; level < folded.levels(); level++) {
        sum += problem.blocks() - parts.group(member, level + 1).size();
        sum += parts.group(member ^ (1 << level), 0).size();
      }
      most = Math.max(most, sum);
    }
    return most;
  }
}
