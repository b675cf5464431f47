package org.sparkcollectives.tools.internal.cli;

import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.select.Choice;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.select.Explanation;
import org.sparkcollectives.select.Request;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Executes the schedules of all ranks on a clock. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description = {
      "Executes the schedules of all ranks on the clock of a cost profile, message by message, and"
          + " prints the time beside the price.",
      "The busiest rank and the busiest network card are those that send and receive the most bytes."
    })
final class SimulateCommand implements Runnable {
  @Mixin private final SizesOptions options = new SizesOptions();

  @Option(
      names = "--algorithm",
      completionCandidates = Names.OfAlgorithms.class,
      paramLabel = "A",
      description = "such as two-tree; if not given, the one that the library would choose")
  private @Nullable String algorithm;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    List<Request> requests = options.requests();
    CostModel model = options.model(requests);
    Selector selector = new Selector(model);
    List<Choice> choices = requests.stream().map(each -> choice(selector, each)).toList();
    PrintWriter out = spec.commandLine().getOut();
    SizesOptions.printProfile(model, out);
    for (int i = 0; i < choices.size(); i++) {
      out.println();
      out.print(Explanation.heading(requests.get(i)));
      boolean simulates = selector.simulates(requests.get(i));
      out.print(SimulatedRun.of(model, requests.get(i), choices.get(i)).text(simulates));
      out.flush();
    }
  }

  private Choice choice(Selector selector, Request request) {
    if (algorithm != null) {
      RequestOptions.requireOrder(request, algorithm);
    }
    Choice choice = selector.priced(request, algorithm);
    SimulatedRun.requireFeasible(choice);
    return choice;
  }
}
