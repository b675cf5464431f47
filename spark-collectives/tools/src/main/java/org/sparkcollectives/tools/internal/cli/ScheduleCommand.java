package org.sparkcollectives.tools.internal.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.sparkcollectives.internal.draw.ScheduleText;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.tools.internal.json.ScheduleJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints all ranks' schedules of a problem. */
@Command(
    name = "schedule",
    mixinStandardHelpOptions = true,
    description = "Prints what every rank does, round by round.")
final class ScheduleCommand implements Callable<Integer> {
  @Mixin private final ProblemOptions problem = new ProblemOptions();

  @Option(names = "--json", description = "as JSON instead of text")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    List<Schedule> schedules = problem.schedules();
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
}
