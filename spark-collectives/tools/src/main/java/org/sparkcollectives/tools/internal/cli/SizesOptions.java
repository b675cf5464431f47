package org.sparkcollectives.tools.internal.cli;

import java.io.PrintWriter;
import java.util.List;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.select.Request;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that describe an operation of several numbers of ranks, and a network. */
final class SizesOptions {
  @Mixin private final RequestOptions options = new RequestOptions();

  @Option(
      names = "--size",
      required = true,
      split = ",",
      paramLabel = "P",
      description = "the number of ranks, or several with commas between them")
  private List<Integer> sizes = List.of();

  /** An operation for each number of ranks and each size of vectors. */
  List<Request> requests() {
    return sizes.stream().flatMap(size -> options.requests(size).stream()).toList();
  }

  /** What communication costs that is asked of these. */
  CostModel model(List<Request> requests) {
    return options.model(requests);
  }

  /** Says where the costs come from. */
  static void printProfile(CostModel model, PrintWriter out) {
    out.println("profile: " + model.provenance().machine() + ", " + model.provenance().date());
  }
}
