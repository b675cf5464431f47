package org.sparkcollectives.tools.internal.cli;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Topology;
import picocli.CommandLine.Option;

/** The options that name an algorithm and a problem. */
final class ProblemOptions {
  private static final int SOME_BLOCKS = 4;

  @Option(
      names = "--collective",
      required = true,
      paramLabel = "C",
      description = "such as allreduce")
  private String collective = "";

  @Option(
      names = "--algorithm",
      required = true,
      paramLabel = "A",
      description = "such as two-tree")
  private String algorithm = "";

  @Option(names = "--size", required = true, paramLabel = "P", description = "the number of ranks")
  private int size;

  @Option(
      names = "--blocks",
      paramLabel = "B",
      description =
          "how many blocks a vector has; if not given, as many as suit the algorithm, 4 if it takes"
              + " any number")
  private @Nullable Integer blocks;

  @Option(names = "--root", paramLabel = "R", description = "the root's rank, 0 if not given")
  private int root;

  @Option(names = "--unordered", description = "operands may be combined in any order")
  private boolean unordered;

  @Option(
      names = "--hosts",
      paramLabel = "H",
      description =
          "how many hosts the ranks share, consecutive ranks on one; if not given, each rank has its"
              + " own")
  private @Nullable Integer hosts;

  /** The algorithm named. */
  Algorithm algorithm() {
    return Algorithms.find(collective(collective), algorithm);
  }

  /** The problem described, checked. */
  private Problem problem(Algorithm found) {
    Collective asked = found.collective();
    if (!unordered && !found.traits().keepsOrder()) {
      throw OptionErrors.noOrderedSchedule(
          asked.slug(), found.slug(), "give --unordered", Algorithms.inOrder(asked));
    }
    InvalidInputException.requireAtLeast("--size", size, 1);
    asked.requireRoot(root, size);
    if (root != 0 && !asked.rooted()) {
      throw OptionErrors.noRoot(asked.slug(), root);
    }
    int natural = found.naturalBlocks(size);
    int count = blocks != null ? blocks : natural > 0 ? natural : SOME_BLOCKS;
    InvalidInputException.requireAtLeast("--blocks", count, 1);
    Problem problem = new Problem(asked, size, root, count, !unordered, topology(hosts, size));
    String refusal = found.refusal(problem);
    if (refusal != null) {
      throw OptionErrors.refused(asked.slug(), found.slug(), refusal);
    }
    return problem;
  }

  /**
   * Ranks in runs of nearly equal length on hosts.
   *
   * @param hosts how many hosts, at most as many as ranks, or null for a host for each rank
   */
  static Topology topology(@Nullable Integer hosts, int size) {
    if (hosts == null) {
      return Topology.FLAT;
    }
    int count = hosts;
    InvalidInputException.requireAtLeast("--hosts", count, 1);
    if (count > size) {
      throw OptionErrors.moreHostsThanRanks(count, size);
    }
    return Topology.ofHosts(
        IntStream.range(0, size).map(rank -> (int) ((long) rank * count / size)).boxed().toList());
  }

  /** All ranks' schedules. */
  List<Schedule> schedules() {
    Algorithm found = algorithm();
    return Conformance.schedules(found, problem(found));
  }

  /** The collective of a name. */
  static Collective collective(String slug) {
    List<String> known = Arrays.stream(Collective.values()).map(Collective::slug).toList();
    if (!known.contains(slug)) {
      throw OptionErrors.unknownCollective(slug, known);
    }
    return Collective.ofSlug(slug);
  }
}
