package org.sparkcollectives.internal.algorithm.broadcast;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.shape.Hypercube;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Broadcast along log2 p edge-disjoint spanning binomial trees of a hypercube.
 *
 * <p><b>Source.</b> Johnsson, Ho 1989 (doi:10.1109/12.29465), as described in Sanders, Speck, Träff
 * 2009 (doi:10.1016/j.parco.2009.09.001), Section 2.
 *
 * <p><b>Idea.</b> Round t belongs to dimension t mod d of the d = log2 p, and all ranks use the
 * edges of that dimension, both ways. The root sends block j in round j; the block goes down the
 * tree that begins with this dimension, one dimension in each round, and is everywhere d rounds
 * later. Nodes of the {@link Hypercube} are ranks with the bits of the root flipped.
 *
 * <p><b>Cost.</b> For m bytes in b blocks, p = 2^d with d > 1: b + d rounds, (b + d)(α + mβ/b),
 * which tends to mβ; least at b = √(dmβ/α). For p = 2: b rounds.
 *
 * <p><b>Restrictions.</b> p is a power of two. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> p = 4, root 0: block 0 goes 0→1; 1→3; 3→2. Block 1, a round later, goes 0→2;
 * 2→3; 3→1.
 */
public final class HypercubeBroadcast extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public HypercubeBroadcast() {
    super(
        Collective.BROADCAST,
        "hypercube",
        new Traits(
            true,
            "two-tree 2009, 2",
            "blocks along log2 p edge-disjoint binomial trees; for long vectors and p = 2^k",
            "b + log2 p",
            "log2 p ceil(b / log2 p); b = log2 p floor(b / log2 p) + 1: b + log2 p - 2",
            Set.of(Traits.Feature.PERIODIC, Traits.Feature.ROAMING)));
  }

  @Override
  public @Nullable String refusal(Problem problem) {
    return Powers.isPowerOfTwo(problem.size()) ? null : "it needs a power of two of ranks";
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    int dimensions = Powers.floorLog2(problem.size());
    Hypercube cube = new Hypercube(dimensions);
    int node = rank ^ problem.root();
    for (int round = 0; round < rounds(problem); round++) {
      int dimension = round % dimensions;
      int neighbour = cube.neighbour(node, dimension);
      int peer = neighbour ^ problem.root();
      int sent = crossing(cube, node, neighbour, round);
      if (sent >= 0 && sent < problem.blocks()) {
        builder.send(round, peer, VECTOR, BlockRange.of(sent));
      }
      int received = crossing(cube, neighbour, node, round);
      if (received >= 0 && received < problem.blocks()) {
        builder.receive(round, peer, VECTOR, BlockRange.of(received));
      }
    }
  }

  /** The block that goes from one node to another in a round, negative or too high if none does. */
  private static int crossing(Hypercube cube, int from, int to, int round) {
    if (to == 0) {
      return -1;
    }
    return from == 0 ? round : round - cube.delay(from, round % cube.dimensions());
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int dimensions = Powers.floorLog2(problem.size());
    return List.of(new Phase(problem.blocks() + (dimensions == 1 ? 0 : dimensions), 1));
  }

  /**
   * {@inheritDoc} A tree is a level deeper than the cube has dimensions. Ranks take messages in the
   * sequence of rounds, so one that came by few waits for one that came by many, and goes on from
   * there: every other block adds a message to the chain. Counted for up to 64 ranks and ten
   * numbers of blocks up to 64 it is 0.77 to 1.34 times as long as the longest.
   */
  @Override
  protected int longestChain(Problem problem) {
    return problem.size() == 2 ? 1 : Powers.floorLog2(problem.size()) + 1 + problem.blocks() / 2;
  }

  @Override
  public long blocksSent(Problem problem) {
    int dimensions = Powers.floorLog2(problem.size());
    if (dimensions <= 1) {
      return (long) dimensions * problem.blocks();
    }
    // With one block over, no rank but the root sends it along all dimensions.
    long rounds = (problem.blocks() + dimensions - 1L) / dimensions * dimensions;
    return problem.blocks() % dimensions == 1 ? rounds - 1 : rounds;
  }
}
