package org.sparkcollectives.tools.internal.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.conformance.Sweep;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the registry as a table. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description =
        "Lists all algorithms; rounds are those of 64 blocks and 100 ranks,"
            + " or a few more where an algorithm needs them.")
final class ListCommand implements Runnable {
  private static final int SIZE = 100;
  private static final int BLOCKS = 64;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"collective", "algorithm", "order", "rounds", "sent", "source", ""});
    for (Algorithm algorithm : Algorithms.all()) {
      Problem example = Sweep.example(algorithm, SIZE);
      boolean fixed =
          algorithm.naturalBlocks(SIZE) == 1
              || algorithm.collective() == Collective.ALLTOALL
              || algorithm.refusal(example.withBlocks(BLOCKS)) != null;
      Problem problem = fixed ? example : example.withBlocks(BLOCKS);
      rows.add(
          new String[] {
            algorithm.collective().slug(),
            algorithm.slug(),
            order(algorithm),
            String.valueOf(algorithm.rounds(problem)),
            algorithm.blocksSent(problem) + "/" + problem.blocks(),
            algorithm.traits().source(),
            algorithm.traits().summary()
          });
    }
    print(rows, spec.commandLine().getOut());
    spec.commandLine()
        .getOut()
        .printf(
            Locale.ROOT,
            "%nrounds: for %d ranks and %d blocks, or as many as an algorithm needs; sent: the most"
                + " blocks that one rank sends / blocks of a vector%n"
                + "order: whether operands are combined in rank order, as an operator that does not"
                + " commute needs%n",
            SIZE,
            BLOCKS);
  }

  static String order(Algorithm algorithm) {
    return !algorithm.collective().reducing()
        ? "-"
        : algorithm.traits().keepsOrder() ? "yes" : "no";
  }

  private static void print(List<String[]> rows, PrintWriter out) {
    int[] widths = new int[rows.get(0).length];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        line.append(row[i]).append(" ".repeat(widths[i] - row[i].length() + 2));
      }
      out.println(line.toString().stripTrailing());
    }
  }
}
