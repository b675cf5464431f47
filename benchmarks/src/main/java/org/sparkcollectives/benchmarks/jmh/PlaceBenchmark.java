package org.sparkcollectives.benchmarks.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.sparkcollectives.internal.shape.TwoTrees;

/**
 * One rank's place in the two trees: both parents, all children, and the colours of the edges to
 * them, for one rank after the other in no regular sequence.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PlaceBenchmark {
  private static final int STRIDE = 7919;

  /** The number of ranks. */
  @Param({"1000", "100000"})
  public int size;

  private TwoTrees trees = TwoTrees.anyOrder(1);
  private int node;

  /** Makes the trees, which hold three numbers. */
  @Setup
  public void plant() {
    trees = TwoTrees.anyOrder(size - 1);
  }

  /**
   * Finds a rank's place.
   *
   * @return all of it in one number
   */
  @Benchmark
  public int place() {
    node = (node + STRIDE) % (size - 1);
    int all = 0;
    for (int tree = 0; tree <= 1; tree++) {
      all = 31 * all + trees.parent(tree, node);
      all = 31 * all + colour(tree, node);
      int left = trees.left(tree, node);
      all = 31 * all + left;
      all = 31 * all + colour(tree, left);
      int right = trees.right(tree, node);
      all = 31 * all + right;
      all = 31 * all + colour(tree, right);
    }
    return all;
  }

  /** The colour of the edge into a node: that of the rounds in which it is used. */
  private int colour(int tree, int child) {
    return child == TwoTrees.NONE ? 0 : trees.arrival(tree, child) & 1;
  }
}
