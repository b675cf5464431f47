package org.sparkcollectives.spark.internal.ui;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.events.CallEvent;

/**
 * A call: its ranks in time, the algorithms that were priced, the picture of the schedule, and what
 * ended each attempt that failed.
 */
final class CallPage implements LibraryPage.Content {
  private static final String BEFORE = "#d0d0d0";
  private static final String WAITED = "#f0ad4e";
  private static final String WORKED = "#5cb85c";
  private static final List<String> FIGURES =
      List.of(
          "Rank",
          "Executor",
          "Came after",
          "Waited",
          "Worked",
          "of that asleep",
          "Sent",
          "Received");
  private static final String LATE = " style=\"background:#fff3cd;color:#212529\"";

  private final CallStore store;

  CallPage(CallStore store) {
    this.store = store;
  }

  @Override
  public Html page(UnaryOperator<@Nullable String> parameters) {
    long number = Parameters.number(parameters, "id", 0);
    CallEvent call = store.call(number);
    if (call == null) {
      return new Html("Collectives")
          .paragraph(
              "There is no such call: its address names none, or it is older than those that are"
                  + " kept (spark.collectives.ui.retainedCalls).");
    }
    Html html = new Html("Call " + call.call + ": " + call.operation);
    summary(html, call);
    trainings(html, call);
    ranks(html, call);
    candidates(html, call);
    operations(html, call);
    if (!call.algorithm.isEmpty()) {
      html.heading("Schedule");
      SchedulePicture.draw(html, call);
    }
    attempts(html, call);
    return html;
  }

  /** Ranks and hosts. */
  static String where(CallEvent call) {
    return call.ranks
        + " on "
        + Html.count(call.hosts, "host")
        + " ("
        + Html.count(call.executors, "executor")
        + ")";
  }

  private static void summary(Html html, CallEvent call) {
    html.raw("<ul class=\"list-unstyled\">\n");
    html.item("Call", call.callSite.isEmpty() ? call.operation : call.callSite);
    html.item("Submitted", Html.time(call.startedAt));
    html.item("Duration", Html.millis(call.millis));
    html.item("Attempt of the application", call.applicationAttempt);
    html.item("Ranks", call.hosts == 0 ? "" + call.ranks : where(call));
    html.item(
        "Vector", Html.bytes(call.bytes) + (call.elements.isEmpty() ? "" : " of " + call.elements));
    html.item(
        "Algorithm",
        call.algorithm.isEmpty()
            ? call.why
            : call.algorithm
                + " in "
                + Html.count(call.blocks, "block")
                + (call.ordered ? ", operands in rank order" : "")
                + (call.why.isEmpty() ? "" : ": " + call.why));
    html.item("Predicted", Html.millis(call.predictedMillis));
    html.item("Measured", Html.millis(call.measuredMillis));
    html.item(
        "Sent",
        call.sentBytes == 0
            ? ""
            : Html.bytes(call.sentBytes)
                + " by all ranks, "
                + Html.bytes(call.mostSentBytes)
                + " by the one that sent most");
    html.item("State", call.state);
    html.item("Failure", call.failure);
    html.raw("</ul>\n");
  }

  private void trainings(Html html, CallEvent call) {
    for (StoredTraining stored : store.trainings()) {
      if (stored.event.call == call.call) {
        html.heading("Training");
        html.raw("<p>").anchor("../training/?id=" + stored.id, stored.event.name).raw("</p>\n");
        Chart.draw(html, stored.event);
      }
    }
  }

  // ---- ranks

  private static void ranks(Html html, CallEvent call) {
    if (call.rankFigures.isEmpty()) {
      return;
    }
    html.heading("Ranks");
    if (call.rankFigures.size() < call.ranks) {
      html.paragraph(
          call.firstArrived < 0
              ? "Some of " + call.ranks + " ranks, none of which has come."
              : "Of "
                  + call.ranks
                  + " ranks those that came last and those that worked longest; the first came"
                  + " after "
                  + Html.millis(call.firstArrived)
                  + ".");
    }
    boolean drawn = call.rankFigures.stream().anyMatch(rank -> rank.arrived >= 0);
    double longest = call.rankFigures.stream().mapToDouble(CallPage::end).max().orElse(0);
    double end = Math.max(longest, 1e-3);
    CallEvent.Rank straggler = call.straggler();
    List<String> head = new ArrayList<>(FIGURES);
    if (drawn) {
      head.add("0 to " + Html.millis(end));
    }
    html.table(head.toArray(String[]::new));
    for (CallEvent.Rank rank : call.rankFigures) {
      boolean late = straggler != null && straggler.rank == rank.rank;
      html.raw(late ? "<tr class=\"straggler\"" + LATE + ">" : "<tr>");
      html.cell("" + rank.rank);
      html.cell(rank.host.isEmpty() ? "has not come" : rank.executor + " on " + rank.host);
      html.cell(Html.millis(rank.arrived) + (late ? " (last)" : ""));
      html.cell(Html.millis(rank.waited)).cell(Html.millis(rank.worked));
      html.cell(Html.millis(rank.blocked));
      html.cell(Html.bytes(rank.sent)).cell(Html.bytes(rank.received));
      if (drawn) {
        bars(html, rank, end);
      }
      html.raw("</tr>\n");
    }
    html.endTable();
    if (drawn) {
      html.paragraph(
          "Grey: until the rank came to the others, from its start to what it computes itself."
              + " Orange: it waited for the others to come. Green: its work with them.");
    }
  }

  private static void bars(Html html, CallEvent.Rank rank, double end) {
    html.raw("<td style=\"width:35%\"><svg width=\"100%\" height=\"16\">");
    double arrived = Math.max(0, rank.arrived);
    bar(html, 0, arrived / end, BEFORE);
    bar(html, arrived / end, rank.waited / end, WAITED);
    bar(html, (arrived + rank.waited) / end, rank.worked / end, WORKED);
    html.raw("</svg></td>");
  }

  private static double end(CallEvent.Rank rank) {
    return Math.max(0, rank.arrived) + rank.waited + rank.worked;
  }

  private static void bar(Html html, double from, double width, String colour) {
    html.raw(
        String.format(
            Locale.ROOT,
            "<rect x=\"%.2f%%\" y=\"2\" width=\"%.2f%%\" height=\"12\" fill=\"%s\"/>",
            100 * from,
            100 * Math.max(0, width),
            colour));
  }

  // ---- why, what, and what failed

  private static void candidates(Html html, CallEvent call) {
    if (call.candidates.isEmpty()) {
      return;
    }
    html.heading("Candidates");
    html.table("Algorithm", "Predicted", "Rounds", "Blocks", "A rank sends at most");
    for (CallEvent.Candidate each : call.candidates) {
      boolean ran = each.algorithm.equals(call.algorithm);
      html.raw("<tr><td>").raw(ran ? "<b>" : "").text(each.algorithm).raw(ran ? "</b>" : "");
      html.raw("</td>").cell(Html.millis(each.millis)).cell("" + each.rounds);
      html.cell("" + each.blocks).cell(Html.bytes(each.sentBytes)).raw("</tr>\n");
    }
    html.endTable();
  }

  private static void operations(Html html, CallEvent call) {
    if (call.operations.isEmpty()) {
      return;
    }
    html.heading("Operations between ranks");
    html.table(
        "Collective",
        "Algorithm",
        "Count",
        "Bytes",
        "Time of a rank",
        "Slowest rank",
        "Its time",
        "Longest operation");
    for (CallEvent.Operations each : call.operations) {
      html.raw("<tr>").cell(each.collective).cell(each.algorithm).cell("" + each.count);
      html.cell(Html.bytes(each.bytes)).cell(Html.millis(each.millis));
      html.cell("" + each.slowestRank).cell(Html.millis(each.slowestMillis));
      html.cell(Html.millis(each.longestMillis)).raw("</tr>\n");
    }
    html.endTable();
  }

  private static void attempts(Html html, CallEvent call) {
    if (call.attempts.isEmpty()) {
      return;
    }
    html.heading("Attempts");
    if (call.attempts.size() < call.attemptCount) {
      html.paragraph(call.attempts.size() + " of " + call.attemptCount + ".");
    }
    html.table("Attempt", "Jobs", "Stage", "Ranks that came", "Duration", "State", "First cause");
    for (CallEvent.Attempt each : call.attempts) {
      html.raw("<tr>").cell("" + (each.number + 1)).raw("<td>");
      html.raw(each.jobs.stream().map(CallPage::job).collect(Collectors.joining(" ")));
      html.raw("</td>");
      if (each.stage < 0) {
        html.cell("");
      } else {
        html.link("../../stages/stage/?id=" + each.stage + "&attempt=0", "" + each.stage);
      }
      html.cell(each.came + " of " + each.ranks).cell(Html.millis(each.millis));
      html.cell(each.state).cell(each.cause).raw("</tr>\n");
    }
    html.endTable();
  }

  private static String job(int number) {
    return new Html("").anchor("../../jobs/job/?id=" + number, "" + number).text();
  }
}
