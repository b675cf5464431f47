package org.sparkcollectives.docs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.internal.conformance.Sweep;
import org.sparkcollectives.internal.draw.Picture;
import org.sparkcollectives.internal.draw.View;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

/** What {@code docs/algorithms.md} says of the registry: a table of all, and a section of each. */
final class AlgorithmPages {
  /** The size of the pictures; an awkward one. */
  private static final int DRAWN = 9;

  /** The smaller size that is drawn where an algorithm refuses the other. */
  private static final int DRAWN_INSTEAD = 8;

  private static final int LARGE = 100;
  private static final int MANY_BLOCKS = 64;
  private static final int PROBED = 33;
  private static final int PHASES_SHOWN = 8;

  private AlgorithmPages() {}

  /** The generated part. */
  static String text() {
    StringBuilder text = new StringBuilder(table());
    Wins wins = new Wins();
    Collective last = null;
    for (Algorithm algorithm : Algorithms.all()) {
      if (algorithm.collective() != last) {
        last = algorithm.collective();
        text.append("\n## ").append(last.slug()).append('\n');
      }
      text.append(section(algorithm, wins));
    }
    return text.toString();
  }

  /** The pictures by their names. */
  static Map<String, String> pictures() {
    Map<String, String> pictures = new LinkedHashMap<>();
    for (Algorithm algorithm : Algorithms.all()) {
      pictures.put(
          name(algorithm) + ".svg",
          Picture.of(Conformance.schedules(algorithm, drawn(algorithm)), View.ALL).svg());
    }
    return pictures;
  }

  private static Problem drawn(Algorithm algorithm) {
    Problem problem = Sweep.example(algorithm, DRAWN);
    return problem.size() == DRAWN ? problem : Sweep.example(algorithm, DRAWN_INSTEAD);
  }

  private static String name(Algorithm algorithm) {
    return algorithm.collective().slug() + "-" + algorithm.slug();
  }

  private static String table() {
    StringBuilder table = new StringBuilder();
    table.append("| collective | algorithm | rounds | sent | order | source |  |\n");
    table.append("|---|---|---|---|---|---|---|\n");
    for (Algorithm algorithm : Algorithms.all()) {
      Traits traits = algorithm.traits();
      String order = !algorithm.collective().reducing() ? "-" : traits.keepsOrder() ? "yes" : "no";
      table.append(
          row(
              algorithm.collective().slug(),
              "[`" + algorithm.slug() + "`](#" + name(algorithm) + ")",
              formula(traits.roundsFormula()),
              formula(traits.sentFormula()),
              order,
              traits.source(),
              traits.summary()));
    }
    return table.toString();
  }

  private static String row(String... cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }

  private static String formula(String formula) {
    return formula.replace("<=", "≤").replace(">=", "≥").replace("*", "·");
  }

  private static String section(Algorithm algorithm, Wins wins) {
    Problem small = drawn(algorithm);
    Problem example = Sweep.example(algorithm, LARGE);
    boolean fixed =
        algorithm.naturalBlocks(LARGE) == 1
            || algorithm.collective() == Collective.ALLTOALL
            || algorithm.refusal(example.withBlocks(MANY_BLOCKS)) != null;
    Problem large = fixed ? example : example.withBlocks(MANY_BLOCKS);
    StringBuilder text = new StringBuilder();
    String summary = algorithm.traits().summary();
    text.append("\n### ").append(algorithm.collective().slug()).append(' ');
    text.append(algorithm.slug()).append("\n\n");
    text.append(summary.substring(0, 1).toUpperCase(Locale.ROOT)).append(summary.substring(1));
    text.append(".\n\n![").append(algorithm.collective().slug()).append(" by ");
    text.append(algorithm.slug()).append("](pictures/").append(name(algorithm)).append(".svg)\n\n");
    text.append(row("", "formula", numbers(small), numbers(large)));
    text.append("|---|---|---|---|\n");
    text.append(
        row(
            "rounds",
            formula(algorithm.traits().roundsFormula()),
            String.valueOf(algorithm.rounds(small)),
            String.valueOf(algorithm.rounds(large))));
    text.append(
        row(
            "blocks sent by the busiest rank",
            formula(algorithm.traits().sentFormula()),
            String.valueOf(algorithm.blocksSent(small)),
            String.valueOf(algorithm.blocksSent(large))));
    text.append(
        row(
            "rounds × blocks of the largest message",
            "",
            messages(algorithm.phases(small)),
            messages(algorithm.phases(large))));
    text.append("\n- Blocks: ").append(blocks(algorithm)).append('\n');
    text.append("- Order: ").append(order(algorithm)).append('\n');
    text.append(severalRanksOnAHost(algorithm));
    text.append("- Restrictions: ").append(restrictions(algorithm)).append('\n');
    if (algorithm.collective() != Collective.BARRIER) {
      text.append("- Cheapest by the default profile: ").append(wins.of(algorithm)).append('\n');
    }
    text.append("- Source: ").append(algorithm.traits().source());
    text.append(" ([papers.md](papers.md)); `");
    text.append(algorithm.getClass().getName().replace("org.sparkcollectives.", ""));
    return text.append("`\n").toString();
  }

  private static String severalRanksOnAHost(Algorithm algorithm) {
    boolean halved = algorithm.traits().has(Traits.Feature.HALVED_DISTANCES);
    boolean doubled = algorithm.traits().has(Traits.Feature.DOUBLED_DISTANCES);
    String order = algorithm.collective().reducing() ? ", unless rank order is asked\n" : "\n";
    if (algorithm.traits().has(Traits.Feature.BY_HOST)) {
      return "- Several ranks on a host: counted host by host" + order;
    }
    if (!halved && !doubled) {
      return "";
    }
    String condition =
        halved && doubled
            ? "p is a power of two and all hosts have as many"
            : halved ? "all hosts have the same power of two" : "all of 2^k hosts have as many";
    return "- Several ranks on a host: counted one of each host in turn where " + condition + order;
  }

  private static String numbers(Problem problem) {
    return "p = "
        + problem.size()
        + ", b = "
        + problem.blocks()
        + (problem.topology().isFlat()
            ? ""
            : ", " + problem.topology().hosts(problem.size()) + " hosts");
  }

  private static String messages(List<Phase> phases) {
    List<String> parts = new ArrayList<>();
    for (Phase phase : Phase.merged(phases)) {
      String part = phase.rounds() + " × " + phase.blocks();
      parts.add(phase.local() ? part + " within hosts" : part);
    }
    return parts.size() <= PHASES_SHOWN
        ? String.join(", ", parts)
        : String.join(", ", parts.subList(0, PHASES_SHOWN - 1)) + ", …";
  }

  private static String blocks(Algorithm algorithm) {
    int natural = algorithm.naturalBlocks(LARGE);
    if (natural == 0) {
      return "any number; it pipelines, and the number is chosen by cost";
    }
    return natural == 1
        ? "one, the whole vector"
        : algorithm.collective() == Collective.ALLTOALL
            ? "p²"
            : natural
                + " for "
                + LARGE
                + " ranks; a vector is divided, and more blocks do not help";
  }

  private static String order(Algorithm algorithm) {
    if (!algorithm.collective().reducing()) {
      return "nothing is combined";
    }
    return algorithm.traits().keepsOrder()
        ? "rank order; the operator need only be associative"
        : "as operands come; the operator must be commutative";
  }

  /** What the algorithm refuses among many problems, each cause with the first of them. */
  private static String restrictions(Algorithm algorithm) {
    Map<String, String> causes = new LinkedHashMap<>();
    for (int size = 1; size <= PROBED; size++) {
      for (int root = 0; root < (algorithm.collective().rooted() ? size : 1); root++) {
        for (boolean ordered : List.of(false, true)) {
          if (ordered && !algorithm.traits().keepsOrder()) {
            continue;
          }
          int blocks = Math.max(1, algorithm.naturalBlocks(size));
          Problem problem = new Problem(algorithm.collective(), size, root, blocks, ordered);
          for (Topology topology : topologies(algorithm, size)) {
            Problem placed = problem.on(topology);
            String cause = algorithm.refusal(placed);
            if (cause != null) {
              causes.putIfAbsent(cause, first(placed));
            }
          }
        }
      }
    }
    List<String> all =
        causes.entrySet().stream()
            .map(entry -> entry.getKey() + " (so not " + entry.getValue() + ")")
            .collect(Collectors.toCollection(ArrayList::new));
    if (algorithm.traits().has(Traits.Feature.SIMPLEX)) {
      all.add("made for links that carry one direction at a time");
    }
    if (algorithm.traits().has(Traits.Feature.HIERARCHICAL)) {
      all.add("made for several hosts of which one at least has several ranks");
    }
    return all.isEmpty() ? "none" : String.join("; ", all);
  }

  /** Where an algorithm is probed: on hosts of one rank, and on two whose ranks interleave. */
  private static List<Topology> topologies(Algorithm algorithm, int size) {
    return algorithm.traits().has(Traits.Feature.HIERARCHICAL)
        ? List.of(
            Topology.FLAT,
            Topology.ofHosts(IntStream.range(0, size).mapToObj(rank -> rank % 2).toList()))
        : List.of(Topology.FLAT);
  }

  private static String first(Problem problem) {
    return "p = "
        + problem.size()
        + (problem.root() > 0 ? " with root " + problem.root() : "")
        + (problem.ordered() ? " in rank order" : "")
        + (problem.topology().isFlat() ? "" : " on two hosts by turns");
  }
}
