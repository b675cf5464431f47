package org.sparkcollectives.spark.internal.ui;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.events.TrainingEvent;

/** A training: its iterations and its objective. */
final class TrainingPage implements LibraryPage.Content {
  private final CallStore store;

  TrainingPage(CallStore store) {
    this.store = store;
  }

  @Override
  public Html page(UnaryOperator<@Nullable String> parameters) {
    TrainingEvent training = store.training(Parameters.number(parameters, "id", 0));
    if (training == null) {
      return new Html("Collectives")
          .paragraph(
              "There is no such training: its address names none, or it is older than those that"
                  + " are kept (spark.collectives.ui.retainedCalls).");
    }
    Html html = new Html("Training");
    html.raw("<ul class=\"list-unstyled\">\n");
    html.item("Training", training.name);
    if (training.call > 0) {
      html.raw("<li><strong>Call:</strong> ");
      html.anchor("../call/?id=" + training.call, "" + training.call).raw("</li>\n");
    }
    html.item("Duration", Html.millis(training.millis));
    html.item("Iterations", "" + training.iterations);
    html.item("Evaluations", training.evaluations == 0 ? "" : "" + training.evaluations);
    html.item(
        "Coefficients that ranks sum",
        training.coefficients == 0 ? "" : "" + training.coefficients);
    int measured = training.iterations - training.resumedAt;
    html.item(
        "An iteration, on average",
        measured > 0 ? Html.millis(training.iterationsMillis / measured) : "");
    html.item("Resumed at iteration", training.resumedAt == 0 ? "" : "" + training.resumedAt);
    html.item("Rank 0's rows", Html.millis(training.computingMillis));
    html.item("Other ranks", Html.millis(training.communicatingMillis));
    html.item("Ended", training.reason);
    html.item("Objective", Chart.ends(training.objective));
    html.raw("</ul>\n");
    Chart.draw(html, training);
    return html;
  }
}
