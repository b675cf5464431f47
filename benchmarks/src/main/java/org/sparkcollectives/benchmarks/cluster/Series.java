package org.sparkcollectives.benchmarks.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.select.Choice;
import org.sparkcollectives.schedule.Collective;

/** The operations of one contender at one size, as they are measured. */
final class Series {
  private final Collective collective;
  private final long bytes;
  private final List<Integer> counts;
  private final String contender;
  private final Choice choice;
  private final Ranks ranks;
  private final List<Integer> cards;
  private final List<Double> samples = new ArrayList<>();
  private long mostSent;
  private long mostReceived;
  private long totalSent;
  private long mostCpu;
  private long totalCpu;
  private Machine machine = Machine.NONE;

  /**
   * Makes a series.
   *
   * @param counts the relative lengths of the ranks' parts, or empty for equal ones
   * @param choice the algorithm
   * @param ranks who do the operations
   * @param cards a rank for each network card, of its host; none where there are no cards
   */
  Series(
      Collective collective,
      long bytes,
      List<Integer> counts,
      String contender,
      Choice choice,
      Ranks ranks,
      List<Integer> cards) {
    this.counts = counts;
    this.collective = collective;
    this.bytes = bytes;
    this.contender = contender;
    this.choice = choice;
    this.ranks = ranks;
    this.cards = List.copyOf(cards);
  }

  /**
   * Runs operations.
   *
   * @param counted whether they count, or only warm up
   * @throws IOException if a process fails, or ranks that must have equal results have not
   */
  void run(int operations, boolean counted) throws IOException {
    Machine before = Machine.now();
    Order order = Order.run(collective, choice.algorithm().slug(), bytes, operations);
    List<HostAnswer> answers = ranks.run(order.withCounts(counts));
    Machine used = Machine.now().minus(before);
    requireEqualResults(answers);
    if (!counted) {
      return;
    }
    machine = machine.plus(used);
    List<HostAnswer> hosts = cards.stream().map(answers::get).toList();
    mostSent += most(hosts, HostAnswer::sent);
    mostReceived += most(hosts, HostAnswer::received);
    totalSent += hosts.stream().mapToLong(HostAnswer::sent).sum();
    mostCpu += most(answers, HostAnswer::cpuNanos);
    totalCpu += answers.stream().mapToLong(HostAnswer::cpuNanos).sum();
    samples.addAll(micros(answers));
  }

  /** What each operation took, from the first rank's start to the last rank's end. */
  static List<Double> micros(List<HostAnswer> answers) {
    List<Double> micros = new ArrayList<>();
    for (int i = 0; i < answers.get(0).starts().size(); i++) {
      int operation = i;
      long start = answers.stream().mapToLong(a -> a.starts().get(operation)).min().orElseThrow();
      long end = answers.stream().mapToLong(a -> a.ends().get(operation)).max().orElseThrow();
      micros.add((end - start) / 1e3);
    }
    return micros;
  }

  /** The row of all operations that counted. */
  Row row(@Nullable Double boundMicros) {
    int count = samples.size();
    return new Row(
        collective.slug(),
        bytes,
        contender,
        choice.algorithm().slug(),
        choice.problem().blocks(),
        samples,
        boundMicros,
        choice.nanos() / 1e3,
        new Row.Load(
            mostSent / count,
            mostReceived / count,
            totalSent / count,
            mostCpu / 1e3 / count,
            totalCpu / 1e3 / count,
            machine.share()));
  }

  private void requireEqualResults(List<HostAnswer> answers) throws IOException {
    if (Operations.sameEverywhere(collective)
        && answers.stream().mapToInt(HostAnswer::digest).distinct().count() > 1) {
      throw new IOException(
          collective + " of " + bytes + " bytes by " + contender + ": the ranks' results differ");
    }
  }

  private static long most(List<HostAnswer> answers, ToLongFunction<HostAnswer> value) {
    return answers.stream().mapToLong(value).max().orElse(0);
  }
}
