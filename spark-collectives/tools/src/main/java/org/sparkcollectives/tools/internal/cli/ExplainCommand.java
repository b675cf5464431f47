package org.sparkcollectives.tools.internal.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.select.Policy;
import org.sparkcollectives.select.Request;
import org.sparkcollectives.select.Rules;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says which algorithm is chosen for an operation, and why. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = "Says which algorithm the library uses for an operation, and why.")
final class ExplainCommand implements Runnable {
  @Mixin private final RequestOptions options = new RequestOptions();

  @Option(names = "--size", required = true, paramLabel = "P", description = "the number of ranks")
  private int size;

  @Option(
      names = "--rules",
      paramLabel = "RULES",
      description = "rules as in spark.collectives.select.COLLECTIVE")
  private @Nullable String rules;

  @Option(names = "--reproducible", description = "as spark.collectives.reproducible=true")
  private boolean reproducible;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    List<Request> requests = options.requests(size);
    CostModel model = options.model(requests);
    for (Request request : requests) {
      Collective collective = request.collective();
      Policy policy = Policy.DEFAULT.withModel(model).withReproducible(reproducible);
      if (rules != null) {
        Rules parsed = Rules.parse(collective, rules);
        Rules.Rule rule = parsed.match(request);
        if (rule != null) {
          RequestOptions.requireOrder(request, rule.slug());
        }
        policy = policy.withRules(collective, parsed);
      }
      spec.commandLine().getOut().print(new Selector(policy).explain(request, null).text());
    }
    SizesOptions.printProfile(model, spec.commandLine().getOut());
  }
}
