package org.sparkcollectives.tools.internal.cli;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.internal.draw.Picture;
import org.sparkcollectives.internal.draw.View;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that name an algorithm and a problem. */
final class ProblemOptions {
  private static final int SOME_BLOCKS = 4;

  /** The most ranks, blocks, and rounds of all ranks together, which take some 600 MB. */
  private static final int MOST = 2_000_000;

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
    requireFrom1("--size", size);
    asked.requireRoot(root, size);
    if (root != 0 && !asked.rooted()) {
      throw OptionErrors.noRoot(asked.slug(), root);
    }
    requirePairs(asked, size - 1L);
    if (blocks != null && asked != Collective.ALLTOALL) {
      requireFrom1("--blocks", blocks);
    }
    int natural = found.naturalBlocks(size);
    int count = blocks != null ? blocks : natural > 0 ? natural : SOME_BLOCKS;
    requireBlocksOf(asked, count);
    Problem problem = new Problem(asked, size, root, count, !unordered, placement.topology(size));
    String refusal = found.refusal(problem);
    if (refusal != null) {
      throw OptionErrors.refused(asked.slug(), found.slug(), refusal);
    }
    int rounds = found.rounds(problem);
    if ((long) size * rounds > MOST) {
      String less = blocks == null ? "a smaller --size" : "fewer --blocks or a smaller --size";
      throw OptionErrors.tooManyRounds("schedule", size, rounds, MOST, less);
    }
    requirePairs(asked, found.blocksSent(problem));
    return problem;
  }

  private static void requireFrom1(String option, int value) {
    InvalidInputException.requireAtLeast(option, value, 1);
    if (value > MOST) {
      throw OptionErrors.tooLargeFor(option, value, MOST);
    }
  }

  /** The messages of an alltoall may list each block that a rank sends. */
  private void requirePairs(Collective asked, long sentByRank) {
    if (asked == Collective.ALLTOALL && size * sentByRank > MOST) {
      throw OptionErrors.tooManyPairs(size, MOST);
    }
  }

  /** An alltoall has a block for each pair of ranks, all that it sends and receives is whole. */
  private void requireBlocksOf(Collective asked, int count) {
    if (asked == Collective.ALLTOALL && count != (long) size * size) {
      throw OptionErrors.otherBlocks(asked.slug(), count, size, (long) size * size);
    }
  }

  /** Refuses what is far too large for a picture, so that no schedules are made for it. */
  void requireFeasible(View view) {
    Algorithm found = algorithm();
    Problem asked = problem(found);
    Picture.requireFeasible(asked, found.rounds(asked), found.blocksSent(asked), view);
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
