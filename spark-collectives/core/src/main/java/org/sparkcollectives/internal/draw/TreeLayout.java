package org.sparkcollectives.internal.draw;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Where the ranks of a tree stand, in steps of the grid: x from left to right, y the distance from
 * the root. In rank order where every subtree holds consecutive ranks, so that no edges cross; a
 * path as a row; else parents above the middle of their children.
 */
final class TreeLayout {
  private final SpanningTree tree;
  private final double[] x;
  private final double[] y;
  private final boolean inRankOrder;
  private int leaves;

  TreeLayout(SpanningTree tree) {
    this.tree = tree;
    this.x = new double[tree.size()];
    this.y = Arrays.stream(tree.depths()).asDoubleStream().toArray();
    boolean path =
        IntStream.range(0, tree.size()).allMatch(rank -> tree.children(rank).length <= 1);
    this.inRankOrder = !path && hasConsecutiveSubtrees();
    if (path) {
      System.arraycopy(y, 0, x, 0, x.length);
      Arrays.fill(y, 0);
    } else if (inRankOrder) {
      Arrays.setAll(x, rank -> rank);
    } else {
      place(tree.root());
    }
  }

  double x(int rank) {
    return x[rank];
  }

  double y(int rank) {
    return y[rank];
  }

  double width() {
    return Arrays.stream(x).max().orElse(0);
  }

  double height() {
    return Arrays.stream(y).max().orElse(0);
  }

  boolean isInRankOrder() {
    return inRankOrder;
  }

  private boolean hasConsecutiveSubtrees() {
    int size = tree.size();
    int[] low = IntStream.range(0, size).toArray();
    int[] high = low.clone();
    int[] count = new int[size];
    for (int rank = 0; rank < size; rank++) {
      for (int at = rank; at >= 0; at = tree.parents().get(at)) {
        low[at] = Math.min(low[at], rank);
        high[at] = Math.max(high[at], rank);
        count[at]++;
      }
    }
    return IntStream.range(0, size).allMatch(rank -> high[rank] - low[rank] + 1 == count[rank]);
  }

  private void place(int rank) {
    int[] children =
        IntStream.of(tree.children(rank))
            .boxed()
            .sorted(Comparator.comparing(this::firstUse).thenComparing(child -> child))
            .mapToInt(Integer::intValue)
            .toArray();
    if (children.length == 0) {
      x[rank] = leaves++;
      return;
    }
    for (int child : children) {
      place(child);
    }
    x[rank] = (x[children[0]] + x[children[children.length - 1]]) / 2;
  }

  /** Early on the way down, late on the way up: what is largest comes first. */
  private int firstUse(int child) {
    return tree.down().get(child).isEmpty()
        ? -tree.up().get(child).first()
        : tree.down().get(child).first();
  }
}
