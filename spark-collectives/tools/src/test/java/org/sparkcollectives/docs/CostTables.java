package org.sparkcollectives.docs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.internal.cost.LowerBound;
import org.sparkcollectives.internal.cost.Simulation;
import org.sparkcollectives.internal.cost.Simulator;
import org.sparkcollectives.internal.select.Choice;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.internal.text.Amount;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Request;

/** Tables of {@code docs/cost.md} whose numbers are the simulator's. */
final class CostTables {
  private static final CostModel MODEL = CostModel.DEFAULT;
  private static final int SOME_BYTES = 256 << 10;
  private static final int MANY_BYTES = 8 << 20;

  private final StringBuilder text = new StringBuilder();

  private CostTables() {}

  /** The tables by their names; the model is that of a slow network. */
  static Map<String, String> all(CostModel slow) {
    Map<String, String> tables = new LinkedHashMap<>();
    tables.put("racks", racks());
    tables.put("long ways", longWays());
    tables.put("leaders", leaders(slow));
    return tables;
  }

  private void row(String... cells) {
    text.append(("| " + String.join(" | ", cells) + " |\n").replace("  ", " "));
  }

  private void heading(String... cells) {
    row(cells);
    text.append("|").append("---|".repeat(cells.length)).append('\n');
  }

  /** 16 hosts in two racks, in turn, whose uplinks carry as much as two cards. */
  private static String racks() {
    List<Integer> ranks = IntStream.range(0, 16).boxed().toList();
    Topology racks = Topology.of(ranks, ranks, ranks.stream().map(rank -> rank % 2).toList());
    CostModel model = MODEL.withUplink(MODEL.network().betaNanosPerByte() / 2);
    CostTables table = new CostTables();
    table.heading("", "chosen", "takes", "÷ bound", "chosen as if there were no racks", "takes");
    for (Collective collective :
        List.of(
            Collective.BROADCAST,
            Collective.REDUCE,
            Collective.ALLREDUCE,
            Collective.ALLGATHER,
            Collective.REDUCE_SCATTER,
            Collective.SCAN,
            Collective.ALLTOALL)) {
      Request request = Request.of(collective, 16, MANY_BYTES, false, racks);
      Choice choice = new Selector(model).choose(request);
      Choice other = new Selector(model).choose(on(Topology.FLAT, request));
      double nanos = simulated(model, request, choice).nanos();
      double instead = simulated(model, request, other).nanos();
      double bound =
          LowerBound.nanos(model, request.problem(1), (double) request.bytes(), List.of());
      boolean same = instead == nanos;
      table.row(
          collective == Collective.SCAN ? "scan, which follows rank order" : collective.slug(),
          code(choice),
          digits(nanos / 1e6) + " ms",
          String.format(Locale.ROOT, "%.2f", nanos / bound),
          same ? "the same" : code(other),
          same ? "" : digits(instead / 1e6) + " ms");
    }
    return table.text.toString();
  }

  /** Circulant graphs among hosts of four consecutive ranks. */
  private static String longWays() {
    CostTables table = new CostTables();
    table.heading("", "in turn", "in rank order", "the best other");
    for (int hosts : new int[] {3, 6, 8}) {
      table.longWays(Collective.REDUCE_SCATTER, hosts);
    }
    for (int hosts : new int[] {3, 8}) {
      table.longWays(Collective.ALLREDUCE, hosts);
    }
    return table.text.toString();
  }

  private void longWays(Collective collective, int hosts) {
    Request request = request(collective, SOME_BYTES, inRuns(Collections.nCopies(hosts, 4)));
    Selector selector = new Selector(MODEL);
    Choice inTurn = selector.choose(request, "circulant");
    Choice inRankOrder = selector.choose(on(Topology.FLAT, request), "circulant");
    Map.Entry<Double, Choice> best =
        selector.candidates(request).stream()
            .filter(each -> each.refusal() == null && !each.algorithm().equals("circulant"))
            .map(each -> selector.choose(request, each.algorithm()))
            .map(each -> Map.entry(simulated(MODEL, request, each).nanos(), each))
            .min(Map.Entry.comparingByKey())
            .orElseThrow();
    row(
        collective.slug() + " by `circulant`, " + hosts + " hosts",
        microsAndPart(simulated(MODEL, request, inTurn)),
        microsAndPart(simulated(MODEL, request, inRankOrder)),
        code(best.getValue()) + " " + digits(best.getKey() / 1e3));
  }

  private static String microsAndPart(Simulation simulation) {
    double most =
        DoubleStream.concat(
                Arrays.stream(simulation.sentBytes()), Arrays.stream(simulation.receivedBytes()))
            .max()
            .orElse(0);
    return String.format(
        Locale.ROOT, "%s, %.2f m", digits(simulation.nanos() / 1e3), most / SOME_BYTES);
  }

  /** Allreduces by several leaders of a host, by one, and by none. */
  private static String leaders(CostModel slow) {
    CostModel fast = MODEL.withNetwork(new LevelCost(30_000, 0.335, 5_000));
    Topology three = inRuns(List.of(4, 4, 4));
    Topology eight = inRuns(Collections.nCopies(8, 4));
    Topology inTurn = Topology.ofHosts(IntStream.range(0, 32).map(r -> r % 8).boxed().toList());
    CostTables table = new CostTables();
    table.heading("allreduce", "`multi-leader`", "`hierarchical`", "`ring`", "`rabenseifner`");
    table.leaders("3 hosts of 4, 200 Mbit/s", slow, three, "32k", "256k", "128m");
    table.leaders("3 hosts of 4, 10 Gbit/s", MODEL, three, "32k", "256k", "2m", "128m");
    table.leaders("3 hosts of 4, 25 Gbit/s", fast, three, "256k", "128m");
    table.leaders("8 hosts of 4, 10 Gbit/s", MODEL, eight, "256k", "2m");
    table.leaders("8 hosts of 4 in turn, 10 Gbit/s", MODEL, inTurn, "256k", "2m");
    table.leaders("hosts of 4, 4, 3, 10 Gbit/s", MODEL, inRuns(List.of(4, 4, 3)), "256k");
    table.leaders("hosts of 8, 4, 8, 4, 10 Gbit/s", MODEL, inRuns(List.of(8, 4, 8, 4)), "256k");
    table.leaders("hosts of 1, 5, 2, 10 Gbit/s", MODEL, inRuns(List.of(1, 5, 2)), "256k");
    return table.text.toString();
  }

  private void leaders(String where, CostModel model, Topology topology, String... sizes) {
    String before = where + ", ";
    for (String size : sizes) {
      Request request = request(Collective.ALLREDUCE, Amount.bytes(size), topology);
      List<String> cells = new ArrayList<>(List.of(before + people(size)));
      for (String slug : List.of("multi-leader", "hierarchical", "ring", "rabenseifner")) {
        Choice choice = new Selector(model).choose(request, slug);
        cells.add(digits(simulated(model, request, choice).nanos() / 1e6));
      }
      row(cells.toArray(String[]::new));
      before = "";
    }
  }

  private static String people(String size) {
    return size.replace("k", " KiB").replace("m", " MiB");
  }

  private static Topology inRuns(List<Integer> lengths) {
    List<Integer> hosts = new ArrayList<>();
    for (int host = 0; host < lengths.size(); host++) {
      hosts.addAll(Collections.nCopies(lengths.get(host), host));
    }
    return Topology.ofHosts(hosts);
  }

  private static Request request(Collective collective, long bytes, Topology topology) {
    int size = IntStream.range(0, topology.hosts(0)).map(h -> topology.ranksOf(h).length).sum();
    return Request.of(collective, size, bytes, false, topology);
  }

  /** The same as if ranks were placed otherwise. */
  private static Request on(Topology topology, Request request) {
    return new Request(
        request.collective(),
        request.size(),
        request.root(),
        request.ordered(),
        request.units(),
        request.bytes(),
        request.operator(),
        topology);
  }

  /** What is chosen, executed where the ranks of the request are. */
  private static Simulation simulated(CostModel model, Request request, Choice choice) {
    Problem problem = choice.problem();
    return Simulator.run(
        model,
        problem.on(request.topology()),
        rank -> choice.algorithm().executed(problem, rank),
        (double) request.bytes() / problem.blocks(),
        null);
  }

  private static String code(Choice choice) {
    return "`" + choice.algorithm().slug() + "`";
  }

  /** Three digits, or all before the point. */
  private static String digits(double value) {
    String format = value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f";
    return String.format(Locale.ROOT, format, value);
  }
}
