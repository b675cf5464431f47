package org.sparkcollectives.benchmarks.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.report.Tables;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.select.Choice;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Request;

/**
 * What {@link ClusterCommand} measures: contenders in turn, for each collective and size; all
 * rounds of other software come in one block before or after theirs.
 */
final class ClusterMeasurement {
  /** What a calibration sends between two ranks, one message after another. */
  private static final double CALIBRATION_BYTES = 96 << 20;

  private static final long WARM_UP_BYTES = 1024;
  private static final int WARM_UP_OPERATIONS = 1500;
  private static final long LONG_WARM_UP_BYTES = 1 << 20;
  private static final int LONG_WARM_UP_OPERATIONS = 200;
  private static final int WARM_UP_JOBS = 5;
  private static final long BYTES_PER_ROUND = 1 << 20;
  private static final int MOST_OPERATIONS = 10;

  private final Plan plan;
  private final Network network;
  private final Consumer<String> progress;
  private final Map<String, List<String>> rivalsFailed = new LinkedHashMap<>();

  /**
   * What is to be measured.
   *
   * @param placement which ranks share a host
   * @param racks the racks that hosts are in
   * @param told the racks that ranks and cost model know of
   * @param rate of every network card
   * @param collectives what is run
   * @param bytes the sizes that are asked for
   * @param counts the relative lengths of parts, or none for equal ones
   * @param algorithms names, or those of {@link ClusterCommand} for the choice and for all
   * @param rounds how many count
   * @param warmUp how many are run before
   */
  record Plan(
      Placement placement,
      Racks racks,
      Racks told,
      String rate,
      List<Collective> collectives,
      List<Long> bytes,
      List<Integer> counts,
      List<String> algorithms,
      int rounds,
      int warmUp) {

    boolean asksFor(String name) {
      return algorithms.contains(ClusterCommand.ALL) || algorithms.contains(name);
    }
  }

  ClusterMeasurement(Plan plan, Network network, Consumer<String> progress) {
    this.plan = plan;
    this.network = network;
    this.progress = progress;
  }

  /** What other software has failed at, by its name. */
  Map<String, List<String>> rivalsFailed() {
    return rivalsFailed;
  }

  /** Ranks of the engine alone, which know the cost model, and are warm if the plan asks for it. */
  HostProcesses join(HostProcesses processes, CostModel model) throws IOException {
    processes.all(Order.join(model));
    warmUp(processes, 1);
    return processes;
  }

  /** Lets executors compile what every operation and every job runs, if the plan asks for it. */
  void warmUp(SparkRanks ranks) throws IOException {
    warmUp(ranks, WARM_UP_JOBS);
  }

  private void warmUp(Ranks ranks, int parts) throws IOException {
    if (plan.warmUp() == 0) {
      return;
    }
    for (int part = 0; part < parts; part++) {
      for (Collective collective : plan.collectives()) {
        warmUp(ranks, collective, WARM_UP_BYTES, WARM_UP_OPERATIONS / parts);
      }
    }
    if (!network.hasCards()) { // no network is there for code to wait for that is not compiled yet
      for (Collective collective : plan.collectives()) {
        warmUp(ranks, collective, LONG_WARM_UP_BYTES, LONG_WARM_UP_OPERATIONS);
      }
    }
  }

  private void warmUp(Ranks ranks, Collective collective, long bytes, int operations)
      throws IOException {
    long size = Operations.bytes(collective, plan.placement().ranks(), bytes);
    ranks.run(Order.run(collective, null, size, operations));
  }

  /**
   * Measures everything.
   *
   * @param ranks by what is added to a contender's name where they run it
   * @param rivals other software
   * @param selector chooses algorithms and predicts their times
   */
  List<Row> rows(Map<String, Ranks> ranks, List<Rival> rivals, Selector selector)
      throws IOException {
    List<Row> rows = new ArrayList<>();
    for (Collective collective : plan.collectives()) {
      for (long asked : sizes(collective)) {
        Request request = request(collective, asked, plan.told());
        Double bound = bound(collective, asked);
        List<Row> measured = new ArrayList<>();
        boolean rivalsFirst = plan.bytes().indexOf(asked) % 2 == 0;
        if (rivalsFirst) {
          measured.addAll(rivalRows(rivals, request, bound));
        }
        measured.addAll(rows(ranks, request, selector, bound));
        if (!rivalsFirst) {
          measured.addAll(rivalRows(rivals, request, bound));
        }
        measured.forEach(row -> progress.accept(line(row)));
        rows.addAll(measured);
      }
    }
    return rows;
  }

  /** How long the ranks may take, as far as network cards limit them. */
  Patience patience() {
    double longest = 0;
    double most = 0;
    for (Collective collective : plan.collectives()) {
      for (long asked : sizes(collective)) {
        Double bound = bound(collective, asked);
        if (bound != null) {
          int operations = operations(measuredBytes(collective, asked));
          longest = Math.max(longest, bound);
          most = Math.max(most, bound * (1 + operations * operations));
        }
      }
      Double first = plan.warmUp() == 0 ? null : bound(collective, WARM_UP_BYTES);
      most = Math.max(most, first == null ? 0 : first * (1 + WARM_UP_OPERATIONS));
    }
    if (network.hasCards()) {
      double bytesPerSecond = Rates.bitsPerSecond(plan.rate()) / Byte.SIZE;
      most = Math.max(most, CALIBRATION_BYTES / bytesPerSecond * 1e6);
    }
    return Patience.of(longest, most, plan.placement().ranks());
  }

  /** The time below which no algorithm comes, in microseconds; null where no card limits it. */
  private @Nullable Double bound(Collective collective, long asked) {
    Request request = request(collective, asked, plan.racks());
    return network.hasCards() && request.vectorBytes() > 0
        ? Operations.boundMicros(request, Rates.bitsPerSecond(plan.rate()), plan.racks())
        : null;
  }

  /** An operation of all ranks, on hosts in racks. */
  private Request request(Collective collective, long asked, Racks racks) {
    Placement placement = plan.placement();
    List<Integer> counts = plan.counts();
    long bytes = measuredBytes(collective, asked);
    Topology topology = network.hasCards() ? placement.topology(racks) : network.topology();
    Request equal = Request.of(collective, placement.ranks(), bytes, false, topology);
    int each = equal.units() / parts();
    return equal.withCounts(counts.stream().map(count -> each * count).toList());
  }

  private long measuredBytes(Collective collective, long asked) {
    return Operations.bytes(collective, parts(), asked);
  }

  /** The sum of the relative lengths of all ranks' parts. */
  private int parts() {
    List<Integer> counts = plan.counts();
    return counts.isEmpty()
        ? plan.placement().ranks()
        : counts.stream().mapToInt(Integer::intValue).sum();
  }

  /** A row for each rival; one that fails has none, and the run goes on, and ends with code 1. */
  private List<Row> rivalRows(List<Rival> rivals, Request request, @Nullable Double bound)
      throws IOException {
    Collective collective = request.collective();
    long bytes = request.vectorBytes();
    int operations = operations(bytes);
    List<Row> rows = new ArrayList<>();
    int warmUp = plan.warmUp() * operations;
    int counted = plan.rounds() * operations;
    double micros = bound == null ? 0 : (warmUp + counted) * bound;
    Duration limit = Patience.ofRival(micros, plan.placement().ranks());
    for (Rival rival : rivals) {
      try {
        List<Double> samples = rival.run(collective, bytes, warmUp, counted, limit);
        rows.add(
            new Row(
                collective.slug(), bytes, rival.name(), "default", 0, samples, bound, null, null));
      } catch (IOException e) {
        String what = collective.slug() + " of " + Tables.bytes(bytes);
        progress.accept(rival.name() + " fails, " + what + ": " + e);
        rivalsFailed.computeIfAbsent(rival.name(), unused -> new ArrayList<>()).add(what);
        if (Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
    }
    return rows;
  }

  private static int operations(long bytes) {
    return (int) Math.max(1, Math.min(MOST_OPERATIONS, BYTES_PER_ROUND / Math.max(1, bytes)));
  }

  /** A row for each contender and each kind of ranks, whose key is added to its name. */
  private List<Row> rows(
      Map<String, Ranks> ranks, Request request, Selector selector, @Nullable Double bound)
      throws IOException {
    Collective collective = request.collective();
    long bytes = request.vectorBytes();
    List<Integer> cards = network.hasCards() ? plan.placement().firstRanks() : List.of();
    List<Series> all = new ArrayList<>();
    for (String contender : contenders(request)) {
      Choice choice =
          selector.priced(request, contender.equals(ClusterCommand.SELECTED) ? null : contender);
      ranks.forEach(
          (kind, who) ->
              all.add(
                  new Series(
                      collective, bytes, plan.counts(), contender + kind, choice, who, cards)));
    }
    int operations = operations(bytes);
    for (int round = 0; round < plan.warmUp() + plan.rounds(); round++) {
      for (int turn = 0; turn < all.size(); turn++) {
        // Every round begins with another one.
        boolean counted = round >= plan.warmUp();
        int count = counted ? operations : operations * operations;
        all.get((turn + round) % all.size()).run(count, counted);
      }
    }
    return all.stream().map(series -> series.row(bound)).toList();
  }

  /** Those of the contenders asked for that the collective has, and that can do it. */
  private List<String> contenders(Request request) {
    List<String> names = new ArrayList<>();
    if (plan.asksFor(ClusterCommand.SELECTED)) {
      names.add(ClusterCommand.SELECTED);
    }
    for (Algorithm algorithm : Algorithms.of(request.collective())) {
      // With one rank per host a hierarchical algorithm is the one that it uses between hosts.
      boolean fits =
          plan.algorithms().contains(algorithm.slug())
              || plan.placement().shared()
              || !algorithm.traits().has(Traits.Feature.HIERARCHICAL);
      if (plan.asksFor(algorithm.slug()) && fits && refusal(algorithm, request) == null) {
        names.add(algorithm.slug());
      }
    }
    return names;
  }

  /** Why an algorithm cannot do an operation, or null if it can. */
  private static @Nullable String refusal(Algorithm algorithm, Request request) {
    Problem problem = request.problem(1);
    int natural = Math.max(1, algorithm.naturalBlocks(problem.size()));
    return algorithm.refusal(problem.withBlocks(natural));
  }

  /** Whether there is a contender for an operation at all; needs no ranks. */
  boolean hasContenders() {
    return requests().stream().anyMatch(request -> !contenders(request).isEmpty());
  }

  /** A line for each algorithm asked for by name that is left out, with the reason. */
  Set<String> leftOut() {
    Set<String> lines = new LinkedHashSet<>();
    for (Request request : requests()) {
      for (Algorithm algorithm : Algorithms.of(request.collective())) {
        String refusal = refusal(algorithm, request);
        if (plan.algorithms().contains(algorithm.slug()) && refusal != null) {
          String what = request.collective().slug() + " by " + algorithm.slug();
          lines.add(what + " is left out: " + refusal);
        }
      }
    }
    return lines;
  }

  private List<Request> requests() {
    List<Request> requests = new ArrayList<>();
    for (Collective collective : plan.collectives()) {
      sizes(collective).forEach(asked -> requests.add(request(collective, asked, plan.told())));
    }
    return requests;
  }

  /** The sizes asked for, but of those that are measured by vectors of one length the first. */
  List<Long> sizes(Collective collective) {
    if (collective == Collective.BARRIER) {
      return List.of(0L);
    }
    Map<Long, Long> asked = new LinkedHashMap<>();
    plan.bytes().forEach(size -> asked.putIfAbsent(measuredBytes(collective, size), size));
    return List.copyOf(asked.values());
  }

  private static String line(Row row) {
    Double overBound = row.overBound();
    Double overPredicted = row.overPredicted();
    return row.collective()
        + " of "
        + Tables.bytes(row.bytes())
        + ", "
        + row.contender()
        + (row.contender().equals(row.algorithm()) ? "" : " (" + row.algorithm() + ")")
        + ": median "
        + Tables.micros(row.summary().median())
        + (overBound == null ? "" : String.format(Locale.ROOT, ", bound × %.2f", overBound))
        + (overPredicted == null
            ? ""
            : String.format(Locale.ROOT, ", prediction × %.2f", overPredicted));
  }

  /**
   * Says how often what is run.
   *
   * @param settings gets it
   * @param inSpark whether ranks are those of a Spark application, too
   */
  void describe(Map<String, String> settings, boolean inSpark) {
    settings.put(
        "rounds",
        plan.warmUp()
            + " to warm up, "
            + plan.rounds()
            + " that count, contenders in turn, a barrier before each operation; "
            + Tables.bytes(BYTES_PER_ROUND)
            + " of vectors a round, but 1 to "
            + MOST_OPERATIONS
            + " operations, the square of their number to warm up");
    settings.put("before all rounds", plan.warmUp() == 0 ? "nothing" : compiled(inSpark));
  }

  private String compiled(boolean inSpark) {
    return WARM_UP_OPERATIONS
        + " operations of each collective on "
        + Tables.bytes(WARM_UP_BYTES)
        + (network.hasCards()
            ? ""
            : " and " + LONG_WARM_UP_OPERATIONS + " on " + Tables.bytes(LONG_WARM_UP_BYTES))
        + (inSpark ? ", in Spark in " + WARM_UP_JOBS + " jobs" : "");
  }
}
