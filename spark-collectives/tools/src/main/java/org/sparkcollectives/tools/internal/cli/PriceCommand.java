package org.sparkcollectives.tools.internal.cli;

import java.io.PrintWriter;
import java.util.List;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.select.Explanation;
import org.sparkcollectives.select.Request;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints what every algorithm of a collective is predicted to cost. */
@Command(
    name = "price",
    mixinStandardHelpOptions = true,
    description = "Prints rounds, bytes and predicted times of all algorithms of a collective.")
final class PriceCommand implements Runnable {
  @Mixin private final SizesOptions options = new SizesOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    List<Request> requests = options.requests();
    CostModel model = options.model(requests);
    Selector selector = new Selector(model);
    List<String> tables = requests.stream().map(each -> table(selector, each)).toList();
    PrintWriter out = spec.commandLine().getOut();
    SizesOptions.printProfile(model, out);
    for (String table : tables) {
      out.println();
      out.print(table);
    }
  }

  private static String table(Selector selector, Request request) {
    return Explanation.heading(request)
        + Explanation.table(selector.candidates(request), selector.bound(request));
  }
}
