package org.sparkcollectives.internal.algorithm.rooted;

import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.internal.algorithm.pattern.EvenParts;
import org.sparkcollectives.internal.shape.BinomialTree;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;

/** Where parts of a vector travel along a binomial tree whose subtrees are runs of ranks. */
final class BinomialParts {
  private final Problem problem;
  private final BinomialTree tree;

  BinomialParts(Problem problem) {
    this.problem = problem;
    this.tree = new BinomialTree(problem.size(), problem.root());
  }

  BinomialTree tree() {
    return tree;
  }

  /** The parts of the group of {@code 2^level} ranks that holds a rank. */
  BlockRange group(int rank, int level) {
    int first = rank >> level << level;
    int end = (int) Math.min(first + (1L << level), problem.size());
    return EvenParts.of(problem.blocks(), problem.size(), first, end);
  }

  /** The lowest level at which a block crosses an edge, or the number of levels if none does. */
  int lowest() {
    int lowest = tree.levels();
    int owners = Math.min(problem.blocks(), problem.size());
    for (int i = 0; i < owners && lowest > 0; i++) {
      int owner =
          owners == problem.size() ? i : EvenParts.indexOf(problem.blocks(), problem.size(), i);
      lowest = Math.min(lowest, tree.parentLevel(owner));
    }
    return lowest;
  }

  /** The number of the levels up to the highest one at which a block crosses an edge. */
  int highest() {
    int first = EvenParts.indexOf(problem.blocks(), problem.size(), 0) ^ problem.root();
    int last = (problem.size() - 1) ^ problem.root();
    return Powers.ceilLog2(Math.max(first, last) + 1);
  }

  /** The most that the root passes to, or gets from, one of its children. */
  long largestChild() {
    long most = 0;
    for (int level = 0; level < tree.levels(); level++) {
      int child = tree.partner(problem.root(), level);
      if (child != BinomialTree.NONE) {
        most = Math.max(most, group(child, level).size());
      }
    }
    return most;
  }

  /** A phase for each level from the lowest up to, but without, another one. */
  List<Phase> phases(int from, int to) {
    List<Phase> phases = new ArrayList<>();
    for (int level = from; level < to; level++) {
      boolean top = level == tree.levels() - 1; // one pair of groups, which may be less than full
      int largest =
          top
              ? group(tree.partner(problem.root(), level), level).size()
              : EvenParts.largest(problem.blocks(), problem.size(), 1 << level);
      phases.add(new Phase(1, largest, 0, false, false));
    }
    return phases;
  }
}
