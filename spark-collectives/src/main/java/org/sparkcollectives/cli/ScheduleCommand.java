package org.sparkcollectives.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.sparkcollectives.algorithm.Algorithm;
import org.sparkcollectives.algorithm.Algorithms;
import org.sparkcollectives.error.Errors;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.ScheduleJson;
import org.sparkcollectives.schedule.ScheduleText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints all ranks' schedules of a problem. */
@Command(
    name = "schedule",
    mixinStandardHelpOptions = true,
    description = "Prints what every rank does, round by round.")
final class ScheduleCommand implements Callable<Integer> {
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
      required = true,
      paramLabel = "B",
      description = "how many blocks a vector has")
  private int blocks;

  @Option(names = "--root", paramLabel = "R", description = "the root's rank, 0 if not given")
  private int root;

  @Option(names = "--unordered", description = "operands may be combined in any order")
  private boolean unordered;

  @Option(names = "--json", description = "as JSON instead of text")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    Collective asked = collective(collective);
    Algorithm found = Algorithms.find(asked, algorithm);
    if (!unordered && !found.traits().keepsOrder()) {
      throw Errors.noOrderedSchedule(
          asked.slug(), found.slug(), "--unordered", Algorithms.inOrder(asked));
    }
    Errors.requireAtLeast("--size", size, 1);
    Errors.requireAtLeast("--blocks", blocks, 1);
    if (root < 0 || root >= size) {
      throw Errors.rootOutOfRange(asked.slug(), root, size);
    }
    if (root != 0 && !asked.rooted()) {
      throw Errors.noRoot(asked.slug(), root);
    }
    List<Schedule> schedules =
        Sweep.schedules(found, new Problem(asked, size, root, blocks, !unordered));
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ScheduleJson.write(schedules, out);
      out.println();
    } else {
      out.println(ScheduleText.header(schedules.get(0)));
      for (Schedule schedule : schedules) {
        out.print(ScheduleText.rounds(schedule));
      }
    }
    return 0;
  }

  static Collective collective(String slug) {
    List<String> known = Arrays.stream(Collective.values()).map(Collective::slug).toList();
    if (!known.contains(slug)) {
      throw Errors.unknownCollective(slug, known);
    }
    return Collective.ofSlug(slug);
  }
}
