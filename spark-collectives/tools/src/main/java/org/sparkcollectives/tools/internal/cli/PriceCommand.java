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
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints what every algorithm of a collective is predicted to cost. */
@Command(
    name = "price",
    mixinStandardHelpOptions = true,
    description = "Prints rounds, bytes and predicted times of all algorithms of a collective.")
final class PriceCommand implements Runnable {
  @Mixin private final RequestOptions options = new RequestOptions();

  @Option(
      names = "--size",
      required = true,
      split = ",",
      paramLabel = "P",
      description = "the number of ranks, or several with commas between them")
  private List<Integer> sizes = List.of();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    List<Request> requests =
        sizes.stream().flatMap(size -> options.requests(size).stream()).toList();
    CostModel model = options.model();
    Selector selector = new Selector(model);
    List<String> tables = requests.stream().map(each -> table(selector, each)).toList();
    PrintWriter out = spec.commandLine().getOut();
    out.println("profile: " + model.provenance().machine() + ", " + model.provenance().date());
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
