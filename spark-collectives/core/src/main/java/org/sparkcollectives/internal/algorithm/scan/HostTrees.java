package org.sparkcollectives.internal.algorithm.scan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.sparkcollectives.internal.shape.HostRuns;
import org.sparkcollectives.internal.shape.MeasuredTree;
import org.sparkcollectives.internal.shape.RankTree;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

/**
 * Trees over the hosts of problems. To measure one takes time in the order of the hosts, and a
 * price asks for it again for every number of blocks, of all ranks and of some that stand for them,
 * so the latest ones are kept.
 */
final class HostTrees {
  private static final int KEPT = 4;

  private final Function<HostRuns, RankTree> shape;
  private volatile List<Known> latest = List.of();

  private record Known(int size, Topology topology, RankTree tree) {}

  HostTrees(Function<HostRuns, RankTree> shape) {
    this.shape = shape;
  }

  RankTree of(Problem problem) {
    List<Known> all = latest;
    for (Known known : all) {
      if (known.size() == problem.size() && known.topology().equals(problem.topology())) {
        return known.tree();
      }
    }
    RankTree tree = MeasuredTree.of(shape.apply(Hosts.of(problem)));
    List<Known> more = new ArrayList<>(all.subList(0, Math.min(all.size(), KEPT - 1)));
    more.add(0, new Known(problem.size(), problem.topology(), tree));
    latest = List.copyOf(more);
    return tree;
  }
}
