package org.sparkcollectives.benchmarks.spark;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
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

  @Option(
      names = {"--executors", "--hosts"},
      defaultValue = "4",
      description = "Executors, one process of one core each (default: ${DEFAULT-VALUE}).")
  private int executors;

  @Option(
      names = "--rate",
      description = {
        "Each executor on a host of its own whose network card has this rate each way, such as",
        "200mbit, and the driver on one host more. Needs Linux and root (default: loopback)."
      })
  private @Nullable String rate;

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

  /** Made by picocli. */
  public ClusterOptions() {}

  /**
   * How many executors there are.
   *
   * @return at least 1; each is a process of one core
   */
  public int executors() {
    return executors;
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
        .check("--executors", 1, executors)
        .check("--executor-memory", 1, executorMemoryMiB);
    if (rate == null && !kind.equalsIgnoreCase("auto") && !kind.equalsIgnoreCase("loopback")) {
      throw new ParameterException(
          command.commandLine(),
          "--network without --rate is auto or loopback, not '"
              + kind
              + "'. Give the rate of the hosts' network cards, such as --rate 200mbit.");
    }
    try {
      return rate == null
          ? Network.loopback(executors)
          : Network.of(kind, executors, true, rate, progress);
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
    return network.hasCards() ? "-" + executors + "x" + rate : "";
  }

  /**
   * The rate of a host's network card.
   *
   * @param cards whether hosts have network cards
   * @return in bytes per second each way, NaN without cards
   */
  public double bytesPerSecond(boolean cards) {
    return cards ? Rates.bitsPerSecond(requireNonNull(rate)) / Byte.SIZE : Double.NaN;
  }

  /**
   * Starts the cluster.
   *
   * @param network where
   * @param progress takes a line whenever something is done
   * @return a master and a worker for each executor
   * @throws IOException if a host cannot be had
   */
  public StandaloneCluster start(Network network, Consumer<String> progress) throws IOException {
    progress.accept("starting a master and " + executors + " workers");
    return StandaloneCluster.start(
        Folders.logs(), network.driver(), network.workers(), 1, executorMemoryMiB);
  }

  /**
   * Settings of an application on it.
   *
   * @param cluster the cluster
   * @param name the application's name
   * @return new settings
   */
  public SparkConf settings(StandaloneCluster cluster, String name) {
    return cluster
        .conf(name, executors, 1, executorMemoryMiB + "m")
        .remove("spark.executor.extraJavaOptions");
  }

  /**
   * What a report says of the cluster.
   *
   * @param cards whether hosts have network cards
   * @return a phrase
   */
  public String described(boolean cards) {
    return "standalone on this machine; "
        + executors
        + " executors of one core and "
        + executorMemoryMiB
        + " MiB each, the driver in a JVM of its own"
        + (cards
            ? ", each on a host of its own with a network card of "
                + rate
                + " each way, in network namespaces"
            : "");
  }
}
