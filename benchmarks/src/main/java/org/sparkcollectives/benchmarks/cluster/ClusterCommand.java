package org.sparkcollectives.benchmarks.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.Names;
import org.sparkcollectives.benchmarks.report.Output;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.calibrate.Calibration;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.schedule.Collective;
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

  /** All collectives, and all algorithms. */
  static final String ALL = "all";

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
      description = {
        "Rounds before these (default: ${DEFAULT-VALUE}); with 0 nothing is warmed up before all",
        "rounds either, so that times are those of code that is not compiled yet."
      })
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

  @Option(
      names = "--calibration",
      paramLabel = "FILE",
      description = {
        "The JSON file of an earlier run on such hosts: its costs are taken, not measured again."
      })
  private @Nullable Path earlier;

  /** Whether a measurement of other software has failed. */
  private boolean rivalsFailed;

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
      if (!connectionRate.isEmpty()) {
        Rates.check("--connection-rate", connectionRate);
      }
      sizes.stream().map(Rates::bytes).forEach(bytes::add);
      chosen = Operations.ofSlugs(collectives);
    } catch (IllegalArgumentException e) {
      throw misused(String.valueOf(e.getMessage()));
    }
    new Names(spec).algorithms(algorithms, chosen, ALL, SELECTED);
    requireCounts(chosen);
    Calibration known = earlier == null ? null : calibration(earlier);
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
      if (connections > 1 && network.sharesMemory()) {
        throw misused(
            "--connections is about those between ranks; ranks that share memory have none. Leave it"
                + " out, or give --network loopback or namespaces.");
      }
      if (placement().shared() && (inSpark || !network.hasCards())) {
        throw misused(
            "--ranks-per-host measures hosts with network cards of their own, without --spark.");
      }
      if (racks.several() && (inSpark || !network.hasCards())) {
        throw misused("--racks measures hosts with network cards of their own, without --spark.");
      }
      ClusterMeasurement measurement =
          new ClusterMeasurement(plan(chosen, bytes), network, output::progress);
      if (!measurement.hasContenders()) {
        throw misused(
            "--algorithms leaves nothing to measure: "
                + String.join("; ", measurement.leftOut())
                + ". Name others, or "
                + SELECTED
                + ".");
      }
      if (inSpark && network.outside()) {
        return network.again(spec.root().userObject().getClass(), output.arguments());
      }
      Environment environment = environment(network, racks);
      measurement.leftOut().forEach(output::progress);
      output.deliver(measure(network, measurement, known, environment));
    }
    return rivalsFailed ? 1 : 0;
  }

  private Calibration calibration(Path file) {
    try {
      if (SavedResults.read(file) instanceof ClusterReport report) {
        return report.calibration();
      }
      throw misused(
          "--calibration needs the result of a run of cluster: " + file + " is another's.");
    } catch (IOException | IllegalArgumentException e) {
      throw misused("--calibration needs the JSON file of a run of cluster: " + e.getMessage());
    }
  }

  private Environment environment(Network network, Racks racks) {
    return output.environment(
        inSpark ? org.apache.spark.package$.MODULE$.SPARK_VERSION() : "",
        "-"
            + (placement().shared() ? placement().label(rate) : network.label(rate))
            + racks.label(),
        name());
  }

  private ClusterReport measure(
      Network network,
      ClusterMeasurement measurement,
      @Nullable Calibration known,
      Environment environment)
      throws IOException {
    if (!connectionRate.isEmpty()) {
      network.share(connectionRate);
    }
    Patience patience = measurement.patience();
    try (HostProcesses processes = start(network, false, patience);
        HostProcesses sealed = encrypted ? start(network, true, patience) : null) {
      return measure(network, measurement, processes, sealed, known, environment);
    }
  }

  private HostProcesses start(Network network, boolean sealed, Patience patience)
      throws IOException {
    Racks told = rackOptions.told(hosts);
    return HostProcesses.start(network, placement(), told, sealed, connections, patience);
  }

  private ClusterReport measure(
      Network network,
      ClusterMeasurement measurement,
      HostProcesses processes,
      @Nullable HostProcesses sealed,
      @Nullable Calibration known,
      Environment environment)
      throws IOException {
    if (known == null) {
      measurement.join(processes, CostModel.DEFAULT); // what is compiled is measured
    }
    Racks racks = rackOptions.racks(hosts);
    Calibration calibration = known == null ? processes.calibrate(environment.command()) : known;
    output.progress(
        String.format(
            Locale.ROOT, "%d hosts are connected: %s", hosts, ClusterTables.model(calibration)));
    if (racks.several()) {
      network.divide(racks);
    }
    CostModel model = rackOptions.told(hosts).in(calibration.model());
    Map<String, Ranks> ranks = new LinkedHashMap<>();
    ranks.put("", measurement.join(processes, model));
    if (sealed != null) {
      ranks.put(ENCRYPTED, measurement.join(sealed, model));
    }
    List<Rival> rivals = counts.isEmpty() ? rivals(network, placement()) : List.of();
    try (SparkRanks spark = inSpark ? SparkRanks.start(network, model, connections) : null) {
      if (spark != null) {
        measurement.warmUp(spark);
        ranks.put(IN_SPARK, spark);
      }
      List<Row> rows = measurement.rows(ranks, rivals, new Selector(model));
      rivalsFailed = !measurement.rivalsFailed().isEmpty();
      Map<String, String> settings = settings(network, measurement);
      if (earlier != null) {
        settings.put("calibration", "not measured in this run: that of " + earlier);
      }
      rivals.forEach(
          rival ->
              settings.put(
                  rival.name(),
                  rival.description()
                      + "; all its rounds of a size in one block, before or after the others'"));
      measurement
          .rivalsFailed()
          .forEach((rival, what) -> settings.put(rival + " failed at", String.join(", ", what)));
      return new ClusterReport(name(), environment, hosts, settings, calibration, rows);
    } finally {
      for (Rival rival : rivals) {
        rival.close();
      }
    }
  }

  private ClusterMeasurement.Plan plan(List<Collective> chosen, List<Long> bytes) {
    return new ClusterMeasurement.Plan(
        placement(),
        rackOptions.racks(hosts),
        rackOptions.told(hosts),
        rate,
        chosen,
        bytes,
        counts,
        algorithms,
        rounds,
        warmUp);
  }

  private String name() {
    return output.name(
        (inSpark ? "-in-spark" : "") + (encrypted ? "-encrypted" : "") + rackOptions.suffix());
  }

  private Placement placement() {
    return new Placement(hosts, ranksPerHost, interleaved);
  }

  /** Other software, whose rounds of a size come before or after the library's. */
  List<Rival> rivals(Network network, Placement placement) throws IOException {
    return List.of();
  }

  private void requireCounts(List<Collective> chosen) {
    boolean fit =
        counts.size() == hosts * ranksPerHost
            && counts.stream().allMatch(count -> count >= 0)
            && counts.stream().mapToLong(Integer::longValue).sum() > 0
            && chosen.stream().allMatch(each -> each.divided() && !each.rooted());
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

  private Map<String, String> settings(Network network, ClusterMeasurement measurement) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("network", network.description(rate));
    if (placement().shared()) {
      settings.put("ranks", placement().description());
    }
    rackOptions.describe(hosts, settings);
    if (!counts.isEmpty()) {
      settings.put("parts", "of relative lengths " + counts);
    }
    measurement.describe(settings, inSpark);
    settings.put("values", "random doubles in [0, 1), summed where they are combined");
    settings.put("time", "from the first rank's start to the last rank's end");
    if (inSpark) {
      settings.put("in Spark", SparkRanks.DESCRIPTION);
    }
    if (connections > 1 || !connectionRate.isEmpty()) {
      String pairs = placement().shared() ? " on different hosts" : "";
      String most = connectionRate.isEmpty() ? "all" : connectionRate;
      settings.put(
          "connections", connections + " per pair of ranks" + pairs + ", each of at most " + most);
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
