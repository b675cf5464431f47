package org.sparkcollectives.internal.algorithm.scan;

import static org.sparkcollectives.internal.shape.TwoTrees.NONE;

import java.util.function.IntUnaryOperator;
import org.sparkcollectives.internal.algorithm.pattern.Interleaving;
import org.sparkcollectives.internal.algorithm.pattern.TwoTreePipeline;
import org.sparkcollectives.internal.shape.Couples;
import org.sparkcollectives.internal.shape.TwoTrees;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Problem;

/**
 * When partial results cross the edges of two in-order trees of couples, and when they pass between
 * a couple's members. Steps up and steps down take turns as in {@link ScanTiming}. Each step is two
 * rounds: one between couples, one within them. What a step up sends is passed within the couple at
 * the end of the step up before, what a step down brings at its own end; one round before all steps
 * is for the first step up. One to three ranks that are left over are a chain above all couples.
 */
final class CoupleTiming {
  private final TwoTreePipeline pipeline;
  private final Couples couples;
  private final int chain;
  private final int upSteps;
  private final int firstDown;
  private final Interleaving turns;

  /** Timing for four ranks and more. */
  CoupleTiming(Problem problem) {
    TwoTrees trees = TwoTrees.inOrder(problem.size() / 4 * 2);
    pipeline = new TwoTreePipeline(trees, problem.blocks(), IntUnaryOperator.identity());
    couples = new Couples(trees);
    chain = problem.size() % 4;
    upSteps = chain > 0 ? pipeline.rounds() : upStepsBelowRoots();
    firstDown = firstDown();
    // With a chain the roots send up; without one they pass on in the step before they would.
    int ups = chain > 0 ? upSteps : upSteps - 1;
    turns = new Interleaving(ups, downSteps(), Math.min(ups, lead()));
  }

  private static int next(int arrival) {
    return arrival == NONE ? NONE : arrival + 1;
  }

  /** The steps up until the roots could send, counted from the first of all other nodes. */
  private int upStepsBelowRoots() {
    TwoTrees trees = trees();
    int end =
        Math.max(
            pipeline.end(0, trees.latestArrivalOffSpine(false)),
            pipeline.end(1, next(trees.latestArrivalOffSpine(true))));
    for (int tree = 0; tree <= 1; tree++) {
      for (int node = trees.root(tree); node != NONE; node = trees.right(tree, node)) {
        if (new CoupleNode(this, tree, node).passesEarly()) {
          end = Math.max(end, pipeline.end(tree, trees.arrival(tree, node)));
        }
      }
    }
    return end;
  }

  /** The arrival of the first that goes down or is passed in a step down. */
  private int firstDown() {
    TwoTrees trees = trees();
    int first = Integer.MAX_VALUE;
    for (int tree = 0; tree <= 1 && count(tree) > 0; tree++) {
      for (int node = trees.root(tree); node != NONE; node = trees.left(tree, node)) {
        first = Math.min(first, firstDown(tree, node));
      }
    }
    return first == Integer.MAX_VALUE ? 0 : first;
  }

  private int firstDown(int tree, int node) {
    if (new CoupleNode(this, tree, node).passesLate()) {
      return trees().arrival(tree, node);
    }
    int right = trees().right(tree, node);
    return right == NONE ? Integer.MAX_VALUE : trees().arrival(tree, right);
  }

  /** How many steps up are done before the first one down, so that no block goes down too early. */
  private int lead() {
    TwoTrees trees = trees();
    int lead = 0;
    for (int tree = 0; tree <= 1 && count(tree) > 0; tree++) {
      for (int node = trees.root(tree); node != NONE; node = trees.left(tree, node)) {
        int down = firstDown(tree, node);
        if (down != Integer.MAX_VALUE) {
          int ready = pipeline.departure(tree, trees.arrival(tree, node), upSteps);
          lead = Math.max(lead, ready - (down - firstDown));
        }
      }
    }
    return lead;
  }

  /** The steps down until the last couple has passed on what it hears from above, or from left. */
  private int downSteps() {
    TwoTrees trees = trees();
    int end =
        Math.max(
            pipeline.end(0, trees.latestArrivalOffSpine(true)),
            pipeline.end(1, next(trees.latestArrivalOffSpine(false))));
    for (int tree = 0; tree <= 1; tree++) {
      for (int node = trees.root(tree); node != NONE; node = trees.left(tree, node)) {
        if (new CoupleNode(this, tree, node).passesLate()) {
          end = Math.max(end, pipeline.end(tree, trees.arrival(tree, node)));
        }
      }
    }
    return Math.max(0, end - firstDown);
  }

  int rounds() {
    int last =
        chain > 0 ? 2 * turns.ofFirst(upSteps - 1) + chain : 2 * turns.ofFirst(upSteps - 2) + 2;
    return 1 + Math.max(last, turns.second() > 0 ? 2 * turns.ofSecond(turns.second() - 1) + 2 : 0);
  }

  TwoTrees trees() {
    return pipeline.trees();
  }

  Couples couples() {
    return couples;
  }

  /** The number of ranks above all couples. */
  int chain() {
    return chain;
  }

  int count(int tree) {
    return pipeline.count(tree);
  }

  BlockRange block(int tree, int index) {
    return pipeline.block(tree, index);
  }

  private int upStep(int tree, int arrival, int index) {
    return pipeline.departure(tree, arrival, upSteps) + 2 * index;
  }

  /** The round in which a subtree's sum goes up an edge. */
  int up(int tree, int arrival, int index) {
    return 2 * turns.ofFirst(upStep(tree, arrival, index)) + 1;
  }

  /** The round in which what {@link #up} sends is passed within the couple. */
  int beforeUp(int tree, int arrival, int index) {
    int step = upStep(tree, arrival, index);
    return step == 0 ? 0 : 2 * turns.ofFirst(step - 1) + 2;
  }

  /** The round in which the sum of all before a subtree goes down an edge. */
  int down(int arrival, int index) {
    return 2 * turns.ofSecond(arrival - firstDown + 2 * index) + 1;
  }

  /** The round in which what {@link #down} brings is passed within the couple. */
  int afterDown(int arrival, int index) {
    return down(arrival, index) + 1;
  }

  /** The most blocks that one member of a couple sends. */
  long blocksSent() {
    if (trees().size() >= 8) {
      return pipeline.blocks() + 2L * count(0);
    }
    long most = pipeline.blocks();
    for (int node = 0; node < trees().size(); node++) {
      CoupleNode first = new CoupleNode(this, 0, node);
      CoupleNode second = new CoupleNode(this, 1, node);
      for (int member = 0; member <= 1; member++) {
        long sent = (long) first.sends(member) * count(0) + (long) second.sends(member) * count(1);
        most = Math.max(most, sent);
      }
    }
    return most;
  }
}
