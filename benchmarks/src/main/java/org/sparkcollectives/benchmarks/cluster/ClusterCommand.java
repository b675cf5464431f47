package org.sparkcollectives.benchmarks.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.Output;
import org.sparkcollectives.benchmarks.report.Tables;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.calibrate.Calibration;
import org.sparkcollectives.internal.select.Choice;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Request;
import org.sparkcollectives.internal.transport.Roster;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code benchmarks/run cluster}: the engine alone, a process for each rank, and on request the
 * same within Spark, an executor per host.
 */
@Command(
    name = "cluster",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Collectives on doubles by the engine alone, a process for each rank, and with --spark also"
            + " within a Spark application. The hosts have network cards of a given rate each, in"
            + " network namespaces of this machine, which needs Linux and root; without, they are"
            + " processes of one host.")
public class ClusterCommand implements Callable<Integer> {

  /** The contender that runs the algorithm which the selector chooses. */
  static final String SELECTED = "selected";

  /** What is added to a contender's name where its ranks are those of a Spark application. */
  static final String IN_SPARK = ", in Spark";

  /** What is added to a contender's name where its connections are encrypted. */
  static final String ENCRYPTED = ", encrypted";

  private static final long WARM_UP_BYTES = 1024;
  private static final int WARM_UP_OPERATIONS = 1500;
  private static final long LONG_WARM_UP_BYTES = 1 << 20;
  private static final int LONG_WARM_UP_OPERATIONS = 200;
  private static final int WARM_UP_JOBS = 5;
  private static final String ALL = "all";
  private static final long BYTES_PER_ROUND = 1 << 20;
  private static final int MOST_OPERATIONS = 10;
  private static final int FEWEST_HOSTS = 2;

  @Option(
      names = "--hosts",
      defaultValue = "8",
      description = "Number of hosts, at least 2 (default: ${DEFAULT-VALUE}).")
  private int hosts;

  @Option(
      names = "--ranks-per-host",
      defaultValue = "1",
      description =
          "How many ranks share a host's network card, each a process (default: ${DEFAULT-VALUE}).")
  private int ranksPerHost;

  @Option(
      names = "--interleaved",
      description = "Ranks are dealt out to the hosts in turn; else consecutive ones share a host.")
  private boolean interleaved;

  @Option(
      names = "--counts",
      split = ",",
      description = {
        "How long each rank's part of an allgather or reduce_scatter is, as multiples of one",
        "another (default: equal parts). Other software is not measured then."
      })
  private List<Integer> counts = List.of();

  @Option(
      names = "--rate",
      defaultValue = "200mbit",
      description = "Rate of each network card, each way (default: ${DEFAULT-VALUE}).")
  private String rate = "";

  @Option(
      names = "--collective",
      split = ",",
      defaultValue = ALL,
      description = "Collectives, or " + ALL + " (default: ${DEFAULT-VALUE}).")
  private List<String> collectives = List.of();

  @Option(
      names = "--algorithms",
      split = ",",
      defaultValue = ALL,
      description =
          "Names of algorithms, "
              + SELECTED
              + " for the selector's choice, or "
              + ALL
              + " (default: ${DEFAULT-VALUE}).")
  private List<String> algorithms = List.of();

  @Option(
      names = "--sizes",
      split = ",",
      defaultValue = "8,1k,32k,256k,1m,8m,32m",
      description =
          "Sizes of the vector in bytes, a multiple of 8; k and m for powers of 1024 (default:"
              + " ${DEFAULT-VALUE}).")
  private List<String> sizes = List.of();

  @Option(
      names = "--rounds",
      defaultValue = "7",
      description = "Rounds that count (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--warm-up",
      defaultValue = "2",
      description = "Rounds before these (default: ${DEFAULT-VALUE}).")
  private int warmUp;

  @Option(
      names = "--network",
      defaultValue = "auto",
      description =
          "namespaces; loopback or memory for processes of one host that talk over its loopback"
              + " interface, or through memory that they share; auto for namespaces where they can"
              + " be made, else loopback (default: ${DEFAULT-VALUE}).")
  private String kind = "";

  @Option(
      names = "--spark",
      description = {
        "Each algorithm also inside collectively, in turns with the engine alone: on a standalone",
        "cluster with an executor of one core on every host, and the driver on one host more."
      })
  private boolean inSpark;

  @Option(
      names = "--encrypted",
      description = {
        "Each algorithm also over encrypted connections, in turns with plain ones: by one more",
        "process on every host."
      })
  private boolean encrypted;

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many connections two ranks have to each other.")
  private int connections;

  @Option(
      names = "--connection-rate",
      paramLabel = "RATE",
      defaultValue = "",
      description = "The most of a card's rate that one connection gets; by default all.")
  private String connectionRate = "";

  /** How many measurements of other software have failed. */
  private int rivalsFailed;

  @Mixin private final RackOptions rackOptions = new RackOptions();
  @Mixin private final Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by picocli. */
  public ClusterCommand() {}

  @Override
  public Integer call() throws IOException {
    if (hosts < FEWEST_HOSTS || ranksPerHost < 1 || rounds < 1 || warmUp < 0) {
      throw misused(
          "At least 2 hosts, 1 rank on each, 1 round and 0 rounds to warm up are needed.");
    }
    if (interleaved && !placement().shared()) {
      throw misused(
          "--interleaved is about hosts of several ranks: --ranks-per-host says how many.");
    }
    List<Long> bytes = new ArrayList<>();
    List<Collective> chosen;
    Racks racks;
    try {
      racks = rackOptions.racks(hosts);
      sizes.stream().map(Rates::bytes).forEach(bytes::add);
      chosen = Operations.ofSlugs(collectives);
    } catch (IllegalArgumentException e) {
      throw misused(String.valueOf(e.getMessage()));
    }
    requireKnown(chosen);
    requireCounts(chosen);
    if (connections < 1 || connections > Roster.MOST_CONNECTIONS) {
      throw misused("--connections is 1 to " + Roster.MOST_CONNECTIONS + ", not " + connections);
    }
    try (Network network = network()) {
      if (!connectionRate.isEmpty() && !network.hasCards()) {
        throw misused(
            "--connection-rate limits connections between hosts with network cards of their own:"
                + " give --network namespaces.");
      }
      if (encrypted && network.sharesMemory()) {
        throw misused("--encrypted measures connections; ranks that share memory have none.");
      }
      if (placement().shared() && (inSpark || !network.hasCards())) {
        throw misused(
            "--ranks-per-host measures hosts with network cards of their own, without --spark.");
      }
      if (racks.several() && (inSpark || !network.hasCards())) {
        throw misused("--racks measures hosts with network cards of their own, without --spark.");
      }
      if (inSpark && network.outside()) {
        return network.again(spec.root().userObject().getClass(), output.arguments());
      }
      output.deliver(measure(network, chosen, bytes));
    }
    return rivalsFailed > 0 ? 1 : 0;
  }

  private ClusterReport measure(Network network, List<Collective> chosen, List<Long> bytes)
      throws IOException {
    if (!connectionRate.isEmpty()) {
      network.share(connectionRate);
    }
    try (HostProcesses processes = start(network, false);
        HostProcesses sealed = encrypted ? start(network, true) : null) {
      return measure(network, processes, sealed, chosen, bytes);
    }
  }

  private HostProcesses start(Network network, boolean sealed) throws IOException {
    Racks told = rackOptions.told(hosts);
    return HostProcesses.start(network, placement(), told, sealed, connections);
  }

  private ClusterReport measure(
      Network network,
      HostProcesses processes,
      @Nullable HostProcesses sealed,
      List<Collective> chosen,
      List<Long> bytes)
      throws IOException {
    joined(processes, CostModel.DEFAULT, chosen, network); // what is compiled is measured
    Racks racks = rackOptions.racks(hosts);
    Environment environment =
        output.environment(
            inSpark ? org.apache.spark.package$.MODULE$.SPARK_VERSION() : "",
            "-"
                + (placement().shared() ? placement().label(rate) : network.label(rate))
                + racks.label());
    Calibration calibration = processes.calibrate(environment.command());
    output.progress(
        String.format(
            Locale.ROOT, "%d hosts are connected: %s", hosts, ClusterTables.model(calibration)));
    if (racks.several()) {
      network.divide(racks);
    }
    CostModel model = rackOptions.told(hosts).in(calibration.model());
    Selector selector = new Selector(model);
    List<Row> rows = new ArrayList<>();
    Map<String, Ranks> ranks = new LinkedHashMap<>();
    ranks.put("", joined(processes, model, chosen, network));
    if (sealed != null) {
      ranks.put(ENCRYPTED, joined(sealed, model, chosen, network));
    }
    List<Rival> rivals = counts.isEmpty() ? rivals(network, placement()) : List.of();
    try (SparkRanks spark = inSpark ? SparkRanks.start(network, model, connections) : null) {
      if (spark != null) {
        warmUp(spark, chosen, WARM_UP_JOBS, network.hasCards());
        ranks.put(IN_SPARK, spark);
      }
      for (Collective collective : chosen) {
        for (long asked : collective == Collective.BARRIER ? List.of(0L) : bytes) {
          Request request = request(network, collective, asked, rackOptions.told(hosts));
          long size = request.vectorBytes();
          Double bound =
              network.hasCards() && size > 0
                  ? Operations.boundMicros(
                      request(network, collective, asked, racks), Rates.bitsPerSecond(rate), racks)
                  : null;
          List<Row> measured = new ArrayList<>();
          boolean first = bytes.indexOf(asked) % 2 == 0;
          if (first) {
            measured.addAll(rivalRows(rivals, collective, size, bound));
          }
          measured.addAll(measure(ranks, request, selector, bound));
          if (!first) {
            measured.addAll(rivalRows(rivals, collective, size, bound));
          }
          measured.forEach(row -> output.progress(line(row)));
          rows.addAll(measured);
        }
      }
      Map<String, String> settings = settings(network);
      rivals.forEach(rival -> settings.put(rival.name(), rival.description()));
      String name =
          spec.name()
              + (inSpark ? "-in-spark" : "")
              + (encrypted ? "-encrypted" : "")
              + rackOptions.suffix();
      return new ClusterReport(name, environment, hosts, settings, calibration, rows);
    } finally {
      for (Rival rival : rivals) {
        rival.close();
      }
    }
  }

  private Placement placement() {
    return new Placement(hosts, ranksPerHost, interleaved);
  }

  /** An operation of all ranks, on hosts in racks. */
  private Request request(Network network, Collective collective, long asked, Racks racks) {
    int size = placement().ranks();
    int parts = counts.isEmpty() ? size : counts.stream().mapToInt(Integer::intValue).sum();
    long bytes = Operations.bytes(collective, parts, asked);
    Topology topology = network.hasCards() ? placement().topology(racks) : network.topology();
    Request equal = Request.of(collective, size, bytes, false, topology);
    int each = equal.units() / parts;
    return equal.withCounts(counts.stream().map(count -> each * count).toList());
  }

  /** Ranks of the engine alone that know the cost model and are warm. */
  private HostProcesses joined(
      HostProcesses processes, CostModel model, List<Collective> chosen, Network network)
      throws IOException {
    processes.all(Order.join(model));
    warmUp(processes, chosen, 1, network.hasCards());
    return processes;
  }

  /** Lets the virtual machines compile what every operation runs, and in Spark every job. */
  private void warmUp(Ranks ranks, List<Collective> chosen, int parts, boolean hasCards)
      throws IOException {
    for (int part = 0; part < parts; part++) {
      for (Collective collective : chosen) {
        warmUp(ranks, collective, WARM_UP_BYTES, WARM_UP_OPERATIONS / parts);
      }
    }
    if (!hasCards) { // no network is there for code to wait for that is not compiled yet
      for (Collective collective : chosen) {
        warmUp(ranks, collective, LONG_WARM_UP_BYTES, LONG_WARM_UP_OPERATIONS);
      }
    }
  }

  private void warmUp(Ranks ranks, Collective collective, long bytes, int operations)
      throws IOException {
    long size = Operations.bytes(collective, placement().ranks(), bytes);
    ranks.run(Order.run(collective, null, size, operations));
  }

  /** Other software that takes turns with the library's. */
  List<Rival> rivals(Network network, Placement placement) throws IOException {
    return List.of();
  }

  /** A row for each rival; one that fails has none, and the run goes on, and ends with code 1. */
  private List<Row> rivalRows(
      List<Rival> rivals, Collective collective, long bytes, @Nullable Double bound)
      throws IOException {
    int operations = operations(bytes);
    List<Row> rows = new ArrayList<>();
    for (Rival rival : rivals) {
      try {
        List<Double> micros =
            rival.run(collective, bytes, warmUp * operations, rounds * operations);
        rows.add(
            new Row(
                collective.slug(), bytes, rival.name(), "default", 0, micros, bound, null, null));
      } catch (IOException e) {
        String what = collective.slug() + " of " + Tables.bytes(bytes);
        output.progress(rival.name() + " fails, " + what + ": " + e);
        rivalsFailed++;
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
  private List<Row> measure(
      Map<String, Ranks> ranks, Request request, Selector selector, @Nullable Double bound)
      throws IOException {
    Collective collective = request.collective();
    long bytes = request.vectorBytes();
    List<Series> all = new ArrayList<>();
    for (String contender : contenders(request)) {
      Choice choice =
          contender.equals(SELECTED)
              ? selector.priced(request, null)
              : selector.priced(request, contender);
      ranks.forEach(
          (kind, who) ->
              all.add(new Series(collective, bytes, counts, contender + kind, choice, who)));
    }
    int operations = operations(bytes);
    for (int round = 0; round < warmUp + rounds; round++) {
      for (int turn = 0; turn < all.size(); turn++) {
        // Every round begins with another one.
        boolean counted = round >= warmUp;
        int count = counted ? operations : operations * operations;
        all.get((turn + round) % all.size()).run(count, counted);
      }
    }
    return all.stream().map(series -> series.row(bound)).toList();
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

  /** Those of the contenders asked for that the collective has, and that can do it. */
  private List<String> contenders(Request request) {
    Collective collective = request.collective();
    List<String> names = new ArrayList<>();
    if (algorithms.contains(ALL) || algorithms.contains(SELECTED)) {
      names.add(SELECTED);
    }
    Problem problem = request.problem(1);
    for (Algorithm algorithm : Algorithms.of(collective)) {
      // With one rank per host a hierarchical algorithm is the one that it uses between hosts.
      boolean asked =
          algorithms.contains(algorithm.slug())
              || (algorithms.contains(ALL)
                  && (placement().shared()
                      || !algorithm.traits().has(Traits.Feature.HIERARCHICAL)));
      int natural = Math.max(1, algorithm.naturalBlocks(problem.size()));
      if (asked && algorithm.refusal(problem.withBlocks(natural)) == null) {
        names.add(algorithm.slug());
      }
    }
    return names;
  }

  private void requireKnown(List<Collective> chosen) {
    for (String name : algorithms) {
      boolean known =
          name.equals(ALL)
              || name.equals(SELECTED)
              || chosen.stream()
                  .flatMap(c -> Algorithms.of(c).stream())
                  .anyMatch(a -> a.slug().equals(name));
      if (!known) {
        try {
          Algorithms.find(chosen.get(0), name);
        } catch (CollectiveException e) {
          throw misused("--algorithms: " + e.getMessage());
        }
      }
    }
  }

  private void requireCounts(List<Collective> chosen) {
    boolean fit =
        counts.size() == hosts * ranksPerHost
            && counts.stream().allMatch(count -> count >= 0)
            && counts.stream().mapToLong(Integer::longValue).sum() > 0
            && List.of(Collective.ALLGATHER, Collective.REDUCE_SCATTER).containsAll(chosen);
    if (!counts.isEmpty() && !fit) {
      throw misused("--counts has a number for each rank of an allgather or reduce_scatter.");
    }
  }

  private Network network() {
    try {
      return Network.of(kind, hosts, inSpark, rate, output::progress);
    } catch (IllegalArgumentException e) {
      throw misused(String.valueOf(e.getMessage()));
    }
  }

  private Map<String, String> settings(Network network) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("network", network.description(rate));
    if (placement().shared()) {
      settings.put("ranks", placement().description());
    }
    rackOptions.describe(hosts, settings);
    if (!counts.isEmpty()) {
      settings.put("parts", "of relative lengths " + counts);
    }
    settings.put(
        "rounds",
        warmUp
            + " to warm up, "
            + rounds
            + " that count, contenders in turn, a barrier before each operation; "
            + Tables.bytes(BYTES_PER_ROUND)
            + " of vectors a round, but 1 to "
            + MOST_OPERATIONS
            + " operations, the square of their number to warm up");
    settings.put(
        "before all rounds",
        WARM_UP_OPERATIONS
            + " operations of each collective on "
            + Tables.bytes(WARM_UP_BYTES)
            + (network.hasCards()
                ? ""
                : " and " + LONG_WARM_UP_OPERATIONS + " on " + Tables.bytes(LONG_WARM_UP_BYTES))
            + (inSpark ? ", in Spark in " + WARM_UP_JOBS + " jobs" : ""));
    settings.put("values", "random doubles in [0, 1), summed where they are combined");
    settings.put("time", "from the first rank's start to the last rank's end");
    if (inSpark) {
      settings.put("in Spark", SparkRanks.DESCRIPTION);
    }
    if (connections > 1 || !connectionRate.isEmpty()) {
      String most = connectionRate.isEmpty() ? "all" : connectionRate;
      settings.put("connections", connections + " per pair of ranks, each of at most " + most);
    }
    if (encrypted) {
      settings.put("encrypted", "by processes of their own on the same hosts, sealed records");
    }
    return settings;
  }

  /** An error of the command line. */
  final ParameterException misused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
