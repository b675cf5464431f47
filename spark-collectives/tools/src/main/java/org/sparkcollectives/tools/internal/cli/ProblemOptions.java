package org.sparkcollectives.tools.internal.cli;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that name an algorithm and a problem. */
final class ProblemOptions {
  private static final int SOME_BLOCKS = 4;

  @Option(
      names = "--collective",
      completionCandidates = Names.Collectives.class,
      required = true,
      paramLabel = "C",
      description = "such as allreduce")
  private String collective = "";

  @Option(
      names = "--algorithm",
      completionCandidates = Names.OfAlgorithms.class,
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

  @Mixin private final PlacementOptions placement = new PlacementOptions();

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
    requireBlocksOf(asked, count);
    Problem problem = new Problem(asked, size, root, count, !unordered, placement.topology(size));
    String refusal = found.refusal(problem);
    if (refusal != null) {
      throw OptionErrors.refused(asked.slug(), found.slug(), refusal);
    }
    return problem;
  }

  /** An alltoall has a block for each pair of ranks, all that it sends and receives is whole. */
  private void requireBlocksOf(Collective asked, int count) {
    if (asked == Collective.ALLTOALL && count != (long) size * size) {
      throw OptionErrors.otherBlocks(asked.slug(), count, size, (long) size * size);
    }
  }

  /** The number of ranks. */
  int size() {
    return problem(algorithm()).size();
  }

  /** How many rounds the schedules have at most. */
  int rounds() {
    Algorithm found = algorithm();
    return found.rounds(problem(found));
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
