package org.sparkcollectives.internal.draw;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;

/** Block numbers as short labels. */
final class Blocks {
  private static final int LONGEST = 7;

  private Blocks() {}

  /** The label of a message: its blocks, or how many they are; empty where there is one in all. */
  static String label(Problem problem, List<BlockRange> ranges) {
    if (problem.blocks() == 1) {
      return "";
    }
    int count = ranges.stream().mapToInt(BlockRange::size).sum();
    String text =
        problem.collective() == Collective.ALLTOALL && count == 1
            ? ranges.get(0).from() / problem.size() + "→" + ranges.get(0).from() % problem.size()
            : list(ranges);
    return text.length() <= LONGEST && (problem.collective() != Collective.ALLTOALL || count == 1)
        ? text
        : "×" + count;
  }

  /** The numbers with runs as ranges, such as {@code 0, 2–5}. */
  static String list(List<BlockRange> ranges) {
    List<BlockRange> runs = new ArrayList<>();
    for (BlockRange range : ranges) {
      BlockRange last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
      if (last != null && last.to() == range.from()) {
        runs.set(runs.size() - 1, new BlockRange(last.from(), range.to()));
      } else {
        runs.add(range);
      }
    }
    return runs.stream()
        .map(
            run ->
                switch (run.size()) {
                  case 1 -> String.valueOf(run.from());
                  case 2 -> run.from() + "," + (run.to() - 1);
                  default -> run.from() + "–" + (run.to() - 1);
                })
        .collect(Collectors.joining(","));
  }

  /** A sentence's part such as {@code block 3} or {@code blocks 0–4}. */
  static String name(List<Integer> blocks) {
    return (blocks.size() == 1 ? "block " : "blocks ")
        + list(blocks.stream().map(BlockRange::of).toList()).replace(",", ", ");
  }
}
