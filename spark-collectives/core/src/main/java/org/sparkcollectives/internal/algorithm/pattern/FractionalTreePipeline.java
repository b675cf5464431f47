package org.sparkcollectives.internal.algorithm.pattern;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.shape.FractionalTree;
import org.sparkcollectives.internal.shape.FractionalTree.Position;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * When each block crosses each edge of a {@link FractionalTree}. In the broadcast block j follows
 * block 0 after {@code j + floor(j / r)} rounds: r blocks in sequence, then a pause in which the
 * last of them is passed on. Where ranks cannot send while they receive, groups of one pause for
 * two rounds: a rank receives a block, then passes it on twice. The reduction is the broadcast
 * backwards, first block first. Source: Sanders, Sibeyn 2000, Section 3, Fig. 2.
 *
 * <p>For a reduction in rank order to a root with ranks on both sides, the root is a leaf of the
 * tree like any other, and the tree's head sends it the result: one round more.
 *
 * @param tree the tree
 * @param group r, the number of nodes in a group
 * @param pause the rounds after r blocks in which no block comes: 1, or 2 in the simplex model
 * @param blocks the number of blocks, at least 1
 * @param rankOf the rank of a node
 * @param nodeOf the node of a rank
 * @param outside the rank that drains the head, or {@link FractionalTree#NONE} if the head is the
 *     root
 */
public record FractionalTreePipeline(
    FractionalTree tree,
    int group,
    int pause,
    int blocks,
    IntUnaryOperator rankOf,
    IntUnaryOperator nodeOf,
    int outside) {

  /** The latest one that was asked for, as the schedules of all ranks follow the same one. */
  private static volatile @Nullable Fastest latest;

  private record Fastest(Problem problem, FractionalTreePipeline pipeline) {}

  /** Where the right group's operand waits for what comes along the chain. */
  private static final int HELD = 2;

  /**
   * The tree whose head is the root, with ranks counted from the root on: for operands in any
   * order.
   *
   * @param problem what is to be solved
   * @param group r, the number of ranks in a group
   * @return the pipeline
   */
  public static FractionalTreePipeline anyOrder(Problem problem, int group) {
    return anyOrder(problem, group, 1);
  }

  private static FractionalTreePipeline anyOrder(Problem problem, int group, int pause) {
    Ring ring = new Ring(problem.size());
    return new FractionalTreePipeline(
        new FractionalTree(problem.size(), group),
        group,
        pause,
        problem.blocks(),
        node -> ring.shift(problem.root(), node),
        rank -> ring.shift(rank, -problem.root()),
        FractionalTree.NONE);
  }

  /**
   * The tree for a reduction: in rank order if the problem asks for it.
   *
   * @param problem what is to be solved
   * @param group r, the number of ranks in a group
   * @return the pipeline
   */
  public static FractionalTreePipeline reduction(Problem problem, int group) {
    int last = problem.size() - 1;
    if (!problem.ordered() || problem.root() == 0) {
      return anyOrder(problem, group);
    }
    boolean mirrored = problem.root() == last;
    IntUnaryOperator swap = mirrored ? v -> last - v : IntUnaryOperator.identity();
    int leaf = mirrored ? FractionalTree.NONE : problem.root();
    FractionalTree tree = new FractionalTree(problem.size(), group, leaf);
    return new FractionalTreePipeline(tree, group, 1, problem.blocks(), swap, swap, leaf);
  }

  /**
   * The binary tree of the simplex model, whose head is the root.
   *
   * @param problem what is to be solved; operands stay in order to the first or the last rank only
   * @return the pipeline
   */
  public static FractionalTreePipeline simplex(Problem problem) {
    int last = problem.size() - 1;
    if (!problem.ordered() || problem.root() != last) {
      return anyOrder(problem, 1, 2);
    }
    IntUnaryOperator swap = v -> last - v;
    FractionalTree tree = new FractionalTree(problem.size(), 1);
    return new FractionalTreePipeline(
        tree, 1, 2, problem.blocks(), swap, swap, FractionalTree.NONE);
  }

  /**
   * The pipeline with the fewest rounds among those with groups of 1 to 16, of sizes that grow by
   * an eighth from there on, and of all ranks. Where even the depth takes too long, larger groups
   * are not tried.
   *
   * @param problem what is to be solved
   * @param ofGroup makes the pipeline of a group size, for equal problems always the same one
   * @return the one with the smallest groups if several are equal
   */
  public static FractionalTreePipeline fastest(
      Problem problem, IntFunction<FractionalTreePipeline> ofGroup) {
    Fastest known = latest;
    if (known == null || !known.problem().equals(problem)) {
      known = new Fastest(problem, search(problem, ofGroup));
      latest = known;
    }
    return known.pipeline();
  }

  private static FractionalTreePipeline search(
      Problem problem, IntFunction<FractionalTreePipeline> ofGroup) {
    FractionalTreePipeline best = ofGroup.apply(Math.max(problem.size(), problem.blocks()));
    int rounds = best.rounds();
    for (int group = 1; group < problem.size() - 1; group += Math.max(1, group / 8)) {
      FractionalTreePipeline candidate = ofGroup.apply(group);
      int taken = candidate.rounds();
      if (taken < rounds || (taken == rounds && group < best.group())) {
        best = candidate;
        rounds = taken;
      }
      if (candidate.tree().depth() + problem.blocks() > rounds) {
        break;
      }
    }
    return best;
  }

  /**
   * The number of rounds of the broadcast, and of the reduction.
   *
   * @return {@code d + k - 1 + floor((k - 1) / r)} for k blocks and a tree of depth d, one more
   *     with a rank outside; {@code d + 3(k - 1)} in the simplex model
   */
  public int rounds() {
    return tree.depth() + lag(blocks - 1) + (outside == FractionalTree.NONE ? 0 : 1);
  }

  /** How many rounds after block 0 the broadcast's block with this number crosses an edge. */
  private int lag(int index) {
    return index + pause * (index / group);
  }

  /**
   * The most blocks that a rank sends in the broadcast: a head with two successors passes on all of
   * them, and every r-th once more.
   *
   * @return a number of blocks, 0 if the head is alone
   */
  public long blocksSent() {
    return tree.depth() == 0
        ? 0
        : blocks + (tree.branches() ? ((long) blocks + group - 1) / group : 0);
  }

  /**
   * The claim of the broadcast.
   *
   * @return its rounds
   */
  public List<Phase> broadcastPhases() {
    return List.of(new Phase(rounds(), 1, 0, pause == 1, false));
  }

  /**
   * The claim of the reduction.
   *
   * @param ordered whether operands are combined in rank order
   * @return its rounds
   */
  public List<Phase> reducePhases(boolean ordered) {
    int combined = holds(ordered) && tree.branches() ? 2 : 1;
    return List.of(new Phase(rounds(), 1, combined, pause == 1, false));
  }

  private boolean holds(boolean ordered) {
    return ordered && group > 1;
  }

  /**
   * Enters one rank's part of the broadcast from the head, which must be the root.
   *
   * @param builder takes the rounds
   * @param rank the rank
   */
  public void broadcast(ScheduleBuilder builder, int rank) {
    Position place = tree.place(nodeOf.applyAsInt(rank));
    for (int i = 0; i < blocks; i++) {
      BlockRange block = BlockRange.of(i);
      int arrival = place.arrival() - 1 + lag(i);
      if (place.feeder() != FractionalTree.NONE) {
        builder.receive(arrival, feeder(place, i), VECTOR, block);
      }
      if (place.down() != FractionalTree.NONE) {
        builder.send(arrival + 1, rankOf.applyAsInt(place.down()), VECTOR, block);
      }
      if (feedsRight(place, i)) {
        int round = place.rightArrival() - 1 + lag(i);
        builder.send(round, rankOf.applyAsInt(place.right()), VECTOR, block);
      }
    }
  }

  /**
   * Enters one rank's part of the reduction to the root.
   *
   * @param builder takes the rounds
   * @param rank the rank
   * @param ordered whether operands are combined in rank order
   */
  public void reduce(ScheduleBuilder builder, int rank, boolean ordered) {
    Position place = tree.place(nodeOf.applyAsInt(rank));
    int head = rankOf.applyAsInt(tree.head());
    int last = tree.depth() + lag(blocks - 1) - 1;
    for (int i = 0; i < blocks; i++) {
      BlockRange block = BlockRange.of(blocks - 1 - i);
      boolean right = feedsRight(place, i);
      boolean held = right && holds(ordered);
      if (right) {
        int round = last + 1 - place.rightArrival() - lag(i);
        int peer = rankOf.applyAsInt(place.right());
        if (held) {
          builder.receive(round, peer, HELD, block);
        } else {
          builder.receiveInOrder(round, peer, block);
        }
      }
      int departure = last + 1 - place.arrival() - lag(i);
      if (place.down() != FractionalTree.NONE) {
        builder.receiveInOrder(departure - 1, rankOf.applyAsInt(place.down()), block);
      }
      if (held) {
        boolean above = rankOf.applyAsInt(place.right()) > rank;
        builder.combine(departure - 1, VECTOR, above ? VECTOR : HELD, above ? HELD : VECTOR, block);
      }
      if (place.feeder() != FractionalTree.NONE) {
        builder.send(departure, feeder(place, i), VECTOR, block);
      } else if (outside != FractionalTree.NONE) {
        builder.send(departure, outside, VECTOR, block);
      }
      if (rank == outside) {
        builder.receive(last + 1 - lag(i), head, VECTOR, block);
      }
    }
  }

  private int feeder(Position place, int index) {
    return rankOf.applyAsInt(place.feeder() + place.step() * (index % group));
  }

  private boolean feedsRight(Position place, int index) {
    return place.right() != FractionalTree.NONE && index % group == place.index();
  }
}
