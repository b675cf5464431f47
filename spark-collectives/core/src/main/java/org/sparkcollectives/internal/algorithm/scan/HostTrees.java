package org.sparkcollectives.internal.algorithm.scan;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.shape.HostRuns;
import org.sparkcollectives.internal.shape.MeasuredTree;
import org.sparkcollectives.internal.shape.RankTree;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

/**
 * Trees over the hosts of problems. To measure one takes time in the order of the hosts, and a
 * price asks for it again for every number of blocks, so the latest one is kept.
 */
final class HostTrees {
  private final Function<HostRuns, RankTree> shape;
  private volatile @Nullable Latest latest;

  private record Latest(int size, Topology topology, RankTree tree) {}

  HostTrees(Function<HostRuns, RankTree> shape) {
    this.shape = shape;
  }

  RankTree of(Problem problem) {
    Latest known = latest;
    if (known != null
        && known.size() == problem.size()
        && known.topology().equals(problem.topology())) {
      return known.tree();
    }
    RankTree tree = MeasuredTree.of(shape.apply(Hosts.of(problem)));
    latest = new Latest(problem.size(), problem.topology(), tree);
    return tree;
  }
}
