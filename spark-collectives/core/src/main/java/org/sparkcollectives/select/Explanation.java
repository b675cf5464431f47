package org.sparkcollectives.select;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.sparkcollectives.internal.text.Counted;
import org.sparkcollectives.schedule.Topology;

/**
 * Which algorithm is used for an operation, and why.
 *
 * @param request the operation
 * @param choice what is used
 * @param reason why, as the end of a sentence that begins with the algorithm's name
 * @param candidates all algorithms of the collective: those that can do it, the cheapest first, and
 *     then the others
 * @param boundNanos a time that no algorithm beats, in nanoseconds
 */
public record Explanation(
    Request request,
    Candidate choice,
    String reason,
    List<Candidate> candidates,
    double boundNanos) {

  /**
   * Copies the list.
   *
   * @param request the operation
   * @param choice what is used
   * @param reason why
   * @param candidates all algorithms of the collective
   * @param boundNanos a time that no algorithm beats, in nanoseconds
   */
  public Explanation {
    candidates = List.copyOf(candidates);
  }

  /**
   * The explanation for people.
   *
   * @return several lines: what is asked, the candidates as a table, the choice and the reason
   */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(heading(request));
    text.append(table(candidates, boundNanos));
    text.append(
        String.format(
            Locale.ROOT,
            "%s: %s; %s predicted%n",
            choice.algorithm(),
            reason,
            time(choice.nanos())));
    return text.toString();
  }

  /**
   * An operation for people.
   *
   * @param request the operation
   * @return a line: collective, ranks, hosts, racks if there are several, bytes, whether rank order
   *     is kept, and how long parts are if they differ
   */
  public static String heading(Request request) {
    Topology topology = request.topology();
    return String.format(
        Locale.ROOT,
        "%s, %s on %s%s, %s%s%s%n",
        request.collective().slug(),
        Counted.of(request.size(), "rank"),
        Counted.of(topology.hosts(request.size()), "host"),
        topology.hasRacks() ? " in " + topology.racks() + " racks" : "",
        Counted.of(request.vectorBytes(), "byte"),
        request.ordered() ? ", in rank order" : "",
        request.counts().isEmpty() ? "" : ", " + parts(request));
  }

  private static String parts(Request request) {
    double unit = (double) request.bytes() / request.units();
    return String.format(
        Locale.ROOT,
        "parts of %.0f to %.0f bytes",
        Collections.min(request.counts()) * unit,
        Collections.max(request.counts()) * unit);
  }

  /**
   * A table of candidates for people.
   *
   * @param candidates the candidates
   * @param boundNanos a time that no algorithm beats, in nanoseconds
   * @return one line for each, the head, and a line for the bound
   */
  public static String table(List<Candidate> candidates, double boundNanos) {
    String row = "  %-38s %10s %8s %14s %22s %12s %8s%n";
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            row,
            "algorithm",
            "rounds",
            "blocks",
            "bytes sent",
            "busiest card",
            "predicted",
            "÷ bound"));
    for (Candidate each : candidates) {
      if (each.refusal() != null) {
        text.append(String.format(Locale.ROOT, "  %-38s %s%n", each.algorithm(), each.refusal()));
      } else {
        text.append(
            String.format(
                Locale.ROOT,
                row,
                each.algorithm(),
                each.rounds(),
                each.blocks(),
                String.format(Locale.ROOT, "%.0f", each.bytesSent()),
                card(each),
                time(each.nanos()),
                boundNanos == 0
                    ? "-"
                    : String.format(Locale.ROOT, "%.2f", each.nanos() / boundNanos)));
      }
    }
    text.append(String.format(Locale.ROOT, "  %-38s %s%n", "lower bound", time(boundNanos)));
    return text.toString();
  }

  private static String card(Candidate candidate) {
    Candidate.Card card = candidate.card();
    return card == null
        ? "-"
        : String.format(Locale.ROOT, "%.0f of host %d", card.bytes(), card.host());
  }

  /** A time in the unit that suits it. */
  private static String time(double nanos) {
    if (nanos < 1e6) {
      return String.format(Locale.ROOT, "%.1f µs", nanos / 1e3);
    }
    return nanos < 1e10
        ? String.format(Locale.ROOT, "%.2f ms", nanos / 1e6)
        : String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
  }

  @Override
  public String toString() {
    return text();
  }
}
