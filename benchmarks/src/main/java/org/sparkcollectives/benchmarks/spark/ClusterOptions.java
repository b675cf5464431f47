package org.sparkcollectives.benchmarks.spark;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.spark.SparkConf;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.cluster.Network;
import org.sparkcollectives.benchmarks.cluster.Rates;
import org.sparkcollectives.benchmarks.report.Folders;
import org.sparkcollectives.benchmarks.report.Numbers;
import org.sparkcollectives.testing.StandaloneCluster;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say on what cluster a benchmark of Spark runs, and that cluster. */
public final class ClusterOptions {
  /** The executors share the machine's processors: none is to collect in parallel. */
  public static final String EXECUTOR_OPTIONS = "-XX:ActiveProcessorCount=1";

  private static final String AUTHENTICATE = "spark.authenticate";
  private static final String SECRET = "spark.authenticate.secret";

  @Option(
      names = {"--executors", "--hosts"},
      defaultValue = "4",
      description = {
        "Executors, one process of one core each, or with --executors-per-host their hosts (default:",
        "${DEFAULT-VALUE})."
      })
  private int hosts;

  @Option(
      names = "--executors-per-host",
      defaultValue = "1",
      description =
          "With --rate: executors that share a host and its network card (default:"
              + " ${DEFAULT-VALUE}).")
  private int executorsPerHost;

  @Option(
      names = "--rate",
      description = {
        "Executors on hosts whose network cards have this rate each way, such as 200mbit, one on each",
        "host, and the driver on one host more. Needs Linux and root (default: loopback)."
      })
  private @Nullable String rate;

  @Option(
      names = "--encrypted",
      description = {
        "Spark authenticates and encrypts its connections (spark.network.crypto.enabled), and ranks",
        "theirs."
      })
  private boolean encrypted;

  @Option(
      names = "--network",
      defaultValue = "auto",
      description =
          "With --rate: namespaces, or auto for loopback where they cannot be made (default:"
              + " ${DEFAULT-VALUE}).")
  private String kind = "";

  @Option(
      names = "--executor-memory",
      defaultValue = "2048",
      description = "Heap of an executor in MiB (default: ${DEFAULT-VALUE}).")
  private int executorMemoryMiB;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** Of this process's clusters alone. */
  private final String secret = UUID.randomUUID().toString();

  /** Made by picocli. */
  public ClusterOptions() {}

  /**
   * How many executors there are.
   *
   * @return at least 1; each is a process of one core
   */
  public int executors() {
    return hosts * executorsPerHost;
  }

  /**
   * How many hosts, or workers on the loopback interface, the executors are on.
   *
   * @return at least 1
   */
  public int hosts() {
    return hosts;
  }

  /**
   * The network that was asked for.
   *
   * @param progress takes a line whenever something is done
   * @return hosts with network cards, or this one
   * @throws ParameterException if the options name none
   */
  public Network network(Consumer<String> progress) {
    CommandSpec command = requireNonNull(spec);
    new Numbers(command)
        .check("--executors", 1, hosts)
        .check("--executors-per-host", 1, executorsPerHost)
        .check("--executor-memory", 1, executorMemoryMiB);
    if (rate == null && !kind.equalsIgnoreCase("auto") && !kind.equalsIgnoreCase("loopback")) {
      throw new ParameterException(
          command.commandLine(),
          "--network without --rate is auto or loopback, not '"
              + kind
              + "'. Give the rate of the hosts' network cards, such as --rate 200mbit.");
    }
    if (rate == null && executorsPerHost > 1) {
      throw new ParameterException(
          command.commandLine(),
          "--executors-per-host is about hosts with network cards, and all executors of a run"
              + " without --rate are on one host. Give the cards' rate, such as --rate 200mbit, or"
              + " more --executors.");
    }
    try {
      return rate == null ? Network.loopback(hosts) : Network.of(kind, hosts, true, rate, progress);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()));
    }
  }

  /**
   * What a network of cards adds to a machine's label.
   *
   * @param network the network
   * @return hosts and rate; empty where there are no cards
   */
  public String label(Network network) {
    String each = executorsPerHost > 1 ? executorsPerHost + "x" : "";
    return network.hasCards() ? "-" + hosts + "x" + each + rate : "";
  }

  /**
   * What a host's network card carries beside headers.
   *
   * @param cards whether hosts have network cards
   * @return in bytes per second each way, NaN without cards
   */
  public double bytesPerSecond(boolean cards) {
    return cards ? Rates.payloadPerSecond(Rates.bitsPerSecond(requireNonNull(rate))) : Double.NaN;
  }

  /**
   * Starts the cluster.
   *
   * @param network where
   * @param progress takes a line whenever something is done
   * @return a master and a worker on each host
   * @throws IOException if a host cannot be had
   */
  public StandaloneCluster start(Network network, Consumer<String> progress) throws IOException {
    progress.accept("starting a master and " + hosts + " workers");
    return StandaloneCluster.start(
        Folders.logs(),
        network.driver(),
        network.workers(),
        executorsPerHost,
        executorsPerHost * executorMemoryMiB,
        encrypted ? Map.of(AUTHENTICATE, "true", SECRET, secret) : Map.of());
  }

  /**
   * Settings of an application on it.
   *
   * @param cluster the cluster
   * @param name the application's name
   * @return new settings
   */
  public SparkConf settings(StandaloneCluster cluster, String name) {
    SparkConf settings =
        cluster
            .conf(name, executors(), 1, executorMemoryMiB + "m")
            .remove("spark.executor.extraJavaOptions");
    return encrypted
        ? settings
            .set(AUTHENTICATE, "true")
            .set(SECRET, secret)
            .set("spark.network.crypto.enabled", "true")
        : settings;
  }

  /**
   * What a report says of the cluster.
   *
   * @param cards whether hosts have network cards
   * @return a phrase
   */
  public String described(boolean cards) {
    return "standalone on this machine; "
        + executors()
        + " executors of one core and "
        + executorMemoryMiB
        + " MiB each, the driver in a JVM of its own"
        + (cards ? ", " + place() + " each way, in network namespaces" : "")
        + (encrypted ? "; Spark's connections and those of ranks are encrypted" : "");
  }

  private String place() {
    return executorsPerHost == 1
        ? "each on a host of its own with a network card of " + rate
        : executorsPerHost + " on each host, which has a network card of " + rate;
  }
}
