package org.sparkcollectives.spark.internal.ui;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.events.CallEvent;
import org.sparkcollectives.spark.internal.events.RunningCall;

/**
 * The list of calls: one line each, so many on a page, by any column; above it those that run, and
 * the trainings.
 */
final class ListPage implements LibraryPage.Content {
  /** Calls on a page. */
  static final int PAGE = 100;

  /** Trainings that are listed. */
  private static final int TRAININGS = 20;

  /** Ranks that are named where others wait for them. */
  private static final int MISSING = 8;

  private static final String NUMBER = "Call";
  private static final Map<String, Comparator<CallEvent>> COLUMNS = new LinkedHashMap<>();

  static {
    COLUMNS.put(NUMBER, Comparator.comparingLong(call -> call.call));
    COLUMNS.put("Operation", Comparator.comparing(call -> call.callSite));
    COLUMNS.put("Submitted", Comparator.comparingLong(call -> call.startedAt));
    COLUMNS.put("Duration", Comparator.comparingDouble(call -> call.millis));
    COLUMNS.put("Job", Comparator.comparingInt(call -> job(call)));
    COLUMNS.put("Stage", Comparator.comparingInt(call -> stage(call)));
    COLUMNS.put("Ranks", Comparator.comparingInt(call -> call.ranks));
    COLUMNS.put("Bytes", Comparator.comparingLong(call -> call.bytes));
    COLUMNS.put("Algorithm", Comparator.comparing(call -> call.algorithm));
    COLUMNS.put("Predicted", Comparator.comparingDouble(call -> call.predictedMillis));
    COLUMNS.put("Measured", Comparator.comparingDouble(call -> call.measuredMillis));
    COLUMNS.put("State", Comparator.comparing(call -> call.state));
    COLUMNS.put("Attempts", Comparator.comparingInt(call -> call.attemptCount));
  }

  private final CallStore store;
  private final Supplier<List<RunningCall>> running;

  ListPage(CallStore store, Supplier<List<RunningCall>> running) {
    this.store = store;
    this.running = running;
  }

  @Override
  public Html page(UnaryOperator<@Nullable String> parameters) {
    Html html = new Html("Collectives");
    running(html);
    List<CallEvent> calls = store.calls();
    if (calls.isEmpty()) {
      return html.paragraph("No call of the library has ended yet.");
    }
    trainings(html);
    String given = parameters.apply("sort");
    String sort = given != null && COLUMNS.containsKey(given) ? given : NUMBER;
    boolean up = "up".equals(parameters.apply("order"));
    Comparator<CallEvent> by = COLUMNS.getOrDefault(sort, Comparator.comparingLong(c -> c.call));
    List<CallEvent> sorted = calls.stream().sorted(up ? by : by.reversed()).toList();
    int pages = (sorted.size() + PAGE - 1) / PAGE;
    int page = (int) Math.max(1, Math.min(pages, Parameters.number(parameters, "page", 1)));

    long failed = calls.stream().filter(call -> call.state.equals(CallEvent.FAILED)).count();
    html.heading("Calls");
    html.paragraph(
        Html.count(calls.size(), "call") + (failed == 0 ? "" : ", " + failed + " of them failed"));
    pages(html, sort, up, page, pages);
    head(html, sort, up);
    sorted.stream().skip((page - 1L) * PAGE).limit(PAGE).forEach(call -> line(html, call));
    html.endTable();
    pages(html, sort, up, page, pages);
    return html;
  }

  private void running(Html html) {
    List<RunningCall> calls = running.get();
    if (calls.isEmpty()) {
      return;
    }
    html.heading("Running");
    html.table(
        "Call",
        "Operation",
        "Submitted",
        "For",
        "Job",
        "Attempt",
        "Ranks that have come",
        "Progress");
    long now = System.currentTimeMillis();
    for (RunningCall call : calls.subList(0, Math.min(PAGE, calls.size()))) {
      html.raw("<tr>").cell("" + call.call).cell(call.callSite).cell(Html.time(call.startedAt));
      html.cell(Html.millis((double) Math.max(0, now - call.startedAt)));
      List<Integer> jobs = call.jobs();
      int job = jobs.isEmpty() ? -1 : jobs.get(jobs.size() - 1);
      number(html, job, "../jobs/job/?id=" + job);
      html.cell("" + call.attempts()).cell(come(call));
      html.cell(call.progress()).raw("</tr>\n");
    }
    html.endTable();
  }

  /** How many have come, and the first of those that the others wait for. */
  private static String come(RunningCall call) {
    List<Integer> missing = call.missing();
    int ranks = call.ranks();
    if (ranks == 0) {
      return "waits for executors";
    }
    String come = ranks - missing.size() + " of " + ranks;
    if (missing.isEmpty()) {
      return come;
    }
    String first =
        missing.stream().limit(MISSING).map(String::valueOf).collect(Collectors.joining(", "));
    return come + ", not " + first + (missing.size() > MISSING ? " …" : "");
  }

  private void trainings(Html html) {
    List<StoredTraining> trainings = store.trainings();
    if (trainings.isEmpty()) {
      return;
    }
    html.heading("Trainings");
    html.table("Training", "Call", "Iterations", "Objective", "Duration", "Ended");
    trainings.stream()
        .limit(TRAININGS)
        .forEach(
            stored -> {
              html.raw("<tr>").link("training/?id=" + stored.id, stored.event.name);
              html.link("call/?id=" + stored.event.call, "" + stored.event.call);
              html.cell("" + stored.event.iterations);
              html.cell(Chart.ends(stored.event.objective));
              html.cell(Html.millis(stored.event.millis));
              html.cell(stored.event.reason).raw("</tr>\n");
            });
    html.endTable();
    if (trainings.size() > TRAININGS) {
      html.paragraph("The latest " + TRAININGS + " of " + trainings.size() + ".");
    }
  }

  private static void head(Html html, String sort, boolean up) {
    html.raw("<table class=\"table table-bordered table-sm table-striped\"><thead><tr>");
    for (String column : COLUMNS.keySet()) {
      boolean other = column.equals(sort) && !up;
      html.raw("<th>").anchor(address(column, other, 1), column);
      html.text(column.equals(sort) ? (up ? " ▴" : " ▾") : "").raw("</th>");
    }
    html.body();
  }

  private static String address(String sort, boolean up, int page) {
    return "?sort=" + sort + "&order=" + (up ? "up" : "down") + "&page=" + page;
  }

  private static void pages(Html html, String sort, boolean up, int page, int pages) {
    if (pages == 1) {
      return;
    }
    html.raw("<p>").text("Page " + page + " of " + pages + " ");
    if (page > 1) {
      html.anchor(address(sort, up, 1), "first").text(" ");
      html.anchor(address(sort, up, page - 1), "previous").text(" ");
    }
    if (page < pages) {
      html.anchor(address(sort, up, page + 1), "next").text(" ");
      html.anchor(address(sort, up, pages), "last");
    }
    html.raw("</p>\n");
  }

  private static void line(Html html, CallEvent call) {
    html.raw("<tr>").link("call/?id=" + call.call, "" + call.call);
    html.cell(call.callSite.isEmpty() ? call.operation : call.callSite);
    html.cell(Html.time(call.startedAt)).cell(Html.millis(call.millis));
    number(html, job(call), "../jobs/job/?id=" + job(call));
    number(html, stage(call), "../stages/stage/?id=" + stage(call) + "&attempt=0");
    html.cell(call.hosts == 0 ? "" + call.ranks : CallPage.where(call));
    html.cell(Html.bytes(call.bytes)).cell(call.algorithm);
    html.cell(Html.millis(call.predictedMillis)).cell(Html.millis(call.measuredMillis));
    html.raw("<td>").text(call.state);
    if (!call.failure.isEmpty()) {
      html.raw("<br/><small>").text(call.failure).raw("</small>");
    }
    html.raw("</td>").cell("" + call.attemptCount).raw("</tr>\n");
  }

  private static void number(Html html, int number, String address) {
    if (number < 0) {
      html.cell("");
    } else {
      html.link(address, "" + number);
    }
  }

  private static int job(CallEvent call) {
    CallEvent.Attempt last = call.lastAttempt();
    return last == null || last.jobs.isEmpty() ? -1 : last.jobs.get(0);
  }

  private static int stage(CallEvent call) {
    CallEvent.Attempt last = call.lastAttempt();
    return last == null ? -1 : last.stage;
  }
}
