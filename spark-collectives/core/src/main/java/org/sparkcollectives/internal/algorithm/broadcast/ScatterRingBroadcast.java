package org.sparkcollectives.internal.algorithm.broadcast;

import static org.sparkcollectives.internal.algorithm.ScheduleBuilder.VECTOR;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.sparkcollectives.internal.algorithm.ScheduleBuilder;
import org.sparkcollectives.internal.algorithm.ScheduledAlgorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.algorithm.pattern.EvenParts;
import org.sparkcollectives.internal.shape.BinomialTree;
import org.sparkcollectives.internal.shape.Ring;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/**
 * Broadcast by a binomial scatter and an allgather around a ring.
 *
 * <p><b>Source.</b> Thakur, Rabenseifner, Gropp 2005 (doi:10.1177/1094342005051521), Section 4.2.
 *
 * <p><b>Idea.</b> The vector has p parts. The root deals them out along a binomial tree whose
 * subtrees are runs of ranks, counted from the root; then each part travels around the ring of all
 * ranks. What a rank has from the scatter it is not sent again. The root's own part is the last, v
 * - 1 that of the rank v places after it.
 *
 * <p><b>Cost.</b> For m bytes, any p: ceil(log2 p) + p - 1 rounds, (ceil(log2 p) + p - 1)α + 2m(1 -
 * 1/p)β.
 *
 * <p><b>Restrictions.</b> None. <b>Memory.</b> The vector.
 *
 * <p><b>Example.</b> p = 3, root 0, b = 3: 0→2 block 1; 0→1 block 0; 0→1 block 2 and 1→2 block 0;
 * 0→1 block 1 and 1→2 block 2.
 */
public final class ScatterRingBroadcast extends ScheduledAlgorithm {

  /** Makes the algorithm. */
  public ScatterRingBroadcast() {
    super(
        Collective.BROADCAST,
        "scatter-allgather-ring",
        new Traits(
            true,
            "mpich 2005, 4.2",
            "parts dealt out along a binomial tree, then around a ring; for long vectors, small p",
            "ceil(log2 p) + p - 1",
            "2b - floor(b/p) - ceil(b/p)",
            Set.of(Traits.Feature.BY_HOST, Traits.Feature.CYCLIC)));
  }

  @Override
  protected void plan(Problem problem, int rank, ScheduleBuilder builder) {
    int size = problem.size();
    Ring ring = new Ring(size);
    BinomialTree tree = new BinomialTree(size, 0);
    int node = ring.shift(rank, -problem.root());
    int top = tree.parentLevel(node);
    int scatter = tree.levels();
    if (node > 0) {
      int parent = ring.shift(tree.partner(node, top), problem.root());
      builder.receive(scatter - 1 - top, parent, VECTOR, subtree(problem, node, top));
    }
    for (int level = top - 1; level >= 0; level--) {
      int child = tree.partner(node, level);
      if (child != BinomialTree.NONE) {
        int peer = ring.shift(child, problem.root());
        builder.send(scatter - 1 - level, peer, VECTOR, subtree(problem, child, level));
      }
    }
    int next = ring.shift(node, 1);
    for (int step = 0; step < size - 1; step++) {
      int passed = ring.shift(node, -step);
      if (!holds(tree, next, passed)) {
        builder.send(scatter + step, ring.shift(rank, 1), VECTOR, part(problem, passed));
      }
      int taken = ring.shift(node, -step - 1);
      if (!holds(tree, node, taken)) {
        builder.receive(scatter + step, ring.shift(rank, -1), VECTOR, part(problem, taken));
      }
    }
  }

  /** Whether a node has another one's part from the scatter. */
  private static boolean holds(BinomialTree tree, int node, int owner) {
    return owner >= node && owner - node < 1L << tree.parentLevel(node);
  }

  /** The parts of a node other than the root and of all nodes below it. */
  private static BlockRange subtree(Problem problem, int node, int level) {
    int end = (int) Math.min(problem.size(), node + (1L << level));
    return EvenParts.of(problem.blocks(), problem.size(), node - 1, end - 1);
  }

  private static BlockRange part(Problem problem, int node) {
    int size = problem.size();
    return EvenParts.of(problem.blocks(), size, node == 0 ? size - 1 : node - 1);
  }

  @Override
  protected List<Phase> plannedPhases(Problem problem) {
    int size = problem.size();
    int blocks = problem.blocks();
    List<Phase> phases = new ArrayList<>();
    for (int level = new BinomialTree(size, 0).levels() - 1; level >= 0; level--) {
      int nodes = Math.min(1 << level, size - (1 << level));
      phases.add(new Phase(1, EvenParts.largest(blocks, size, nodes), 0, false, false));
    }
    phases.add(new Phase(size - 1, EvenParts.largest(blocks, size)));
    return phases;
  }

  /**
   * {@inheritDoc}
   *
   * <p>It is the root: it deals out all but its own part, then sends all but the one that the next
   * rank has.
   */
  @Override
  public long blocksSent(Problem problem) {
    int size = problem.size();
    int blocks = problem.blocks();
    return size == 1 ? 0 : 2L * blocks - blocks / size - EvenParts.largest(blocks, size);
  }

  @Override
  public int naturalBlocks(int size) {
    return size;
  }
}
