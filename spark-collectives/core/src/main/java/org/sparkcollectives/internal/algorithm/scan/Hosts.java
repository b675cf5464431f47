package org.sparkcollectives.internal.algorithm.scan;

import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.shape.HostRuns;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

/** The hosts of a problem as runs of ranks. */
final class Hosts {
  private Hosts() {}

  static HostRuns of(Problem problem) {
    Topology topology = problem.topology();
    int size = problem.size();
    return new HostRuns(size, topology.hosts(size), topology::lowestRank, topology::host);
  }

  /** A scan follows rank order whatever the operator, so hosts must not interleave. */
  static @Nullable String refusal(Problem problem) {
    return problem.topology().isConsecutive() ? null : "it needs consecutive ranks on every host";
  }
}
