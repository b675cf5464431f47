package org.sparkcollectives.spark.internal.rendezvous;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.CachedDNSToSwitchMapping;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.internal.error.ErrorText;
import org.sparkcollectives.schedule.Topology;

/**
 * The racks of hosts, as Hadoop finds them for HDFS and YARN: by a script, a table or a class that
 * its configuration names. Each host is looked up once. If that fails, none is looked up any more,
 * and those not found so far count as being in one rack. Thread-safe.
 */
public final class HostRacks {
  /** Where no rack is known. */
  static final HostRacks NONE = new HostRacks(null, 0, HostRacks::begin);

  private static final Logger LOG = LoggerFactory.getLogger(HostRacks.class);
  private static final String MAPPING = "net.topology.node.switch.mapping.impl";
  private static final String SCRIPT = "net.topology.script.file.name";
  private static final String BY_SCRIPT = "org.apache.hadoop.net.ScriptBasedMapping";

  /** How long ranks wait for a script; Hadoop itself sets no limit. */
  private static final long PATIENCE_MILLIS = 30_000;

  private final @Nullable UnaryOperator<List<String>> lookup;
  private final long patienceMillis;
  private final Executor threads;

  /** The lookup that others wait for: there is one at a time. */
  private CompletableFuture<Map<String, String>> last = CompletableFuture.completedFuture(Map.of());

  /** Replaced as a whole, when a lookup has ended. */
  private volatile Map<String, String> known = Map.of();

  private volatile boolean failed;

  /** Hadoop's classes, which are not loaded where it says nothing of racks. */
  private static final class Lookup {
    private Lookup() {}

    static List<String> racks(Configuration hadoop, List<String> hosts) {
      Class<? extends DNSToSwitchMapping> named =
          hadoop.getClass(MAPPING, null, DNSToSwitchMapping.class);
      DNSToSwitchMapping made = ReflectionUtils.newInstance(named, hadoop);
      boolean byAddress = made instanceof CachedDNSToSwitchMapping; // as Hadoop asks any
      DNSToSwitchMapping mapping = byAddress ? made : new CachedDNSToSwitchMapping(made);
      List<String> racks = mapping.resolve(hosts);
      if (racks == null) {
        String more = hosts.size() == 1 ? "" : " and " + (hosts.size() - 1) + " more hosts";
        throw new IllegalStateException(
            named.getName() + " has no answer for " + hosts.get(0) + more);
      }
      return racks.stream()
          .map(rack -> rack.equals(NetworkTopology.DEFAULT_RACK) ? "" : rack)
          .toList();
    }
  }

  /**
   * Finds racks in some way.
   *
   * @param lookup gives the racks of hosts, in their order; null where none is known
   * @param patienceMillis how long to wait for it, once it has begun
   * @param threads where it runs
   */
  HostRacks(@Nullable UnaryOperator<List<String>> lookup, long patienceMillis, Executor threads) {
    this.lookup = lookup;
    this.patienceMillis = patienceMillis;
    this.threads = threads;
  }

  /**
   * The racks of an application's hosts.
   *
   * @param hadoop Hadoop's configuration
   * @return what finds them
   */
  public static HostRacks of(Configuration hadoop) {
    String mapping = hadoop.getTrimmed(MAPPING, "");
    boolean byScript = mapping.isEmpty() || mapping.equals(BY_SCRIPT);
    if (byScript && hadoop.getTrimmed(SCRIPT, "").isEmpty()) {
      return NONE;
    }
    Configuration own = new Configuration(hadoop);
    own.set(MAPPING, byScript ? BY_SCRIPT : mapping);
    return new HostRacks(hosts -> Lookup.racks(own, hosts), PATIENCE_MILLIS, HostRacks::begin);
  }

  /**
   * Whether racks may be known.
   *
   * @return false where nothing finds them
   */
  boolean configured() {
    return lookup != null;
  }

  /**
   * Finds the racks of hosts. A script runs in a thread of its own.
   *
   * @param hosts names or addresses
   * @return is completed, always normally, with the racks by host, of these hosts and maybe others;
   *     a host whose rack is not known is missing or has an empty name
   */
  CompletableFuture<Map<String, String>> of(Collection<String> hosts) {
    UnaryOperator<List<String>> configured = lookup;
    Map<String, String> racks = known;
    if (configured == null || failed || racks.keySet().containsAll(hosts)) {
      return CompletableFuture.completedFuture(racks);
    }
    return queue(configured, hosts);
  }

  /**
   * The topology that ranks on hosts will have; waits for the racks.
   *
   * @param hosts the host of each rank
   * @param processes the process of each rank
   * @return the topology
   */
  public Topology topology(List<String> hosts, List<String> processes) {
    Map<String, String> racks = of(hosts).join();
    return Topology.of(
        hosts, processes, hosts.stream().map(host -> racks.getOrDefault(host, "")).toList());
  }

  /** Runs a task in a thread of its own. */
  static void begin(Runnable task) {
    Thread thread = new Thread(task, "spark-collectives-racks");
    thread.setDaemon(true);
    thread.start();
  }

  private synchronized CompletableFuture<Map<String, String>> queue(
      UnaryOperator<List<String>> configured, Collection<String> hosts) {
    last =
        last.thenCompose(before -> lookUp(configured, hosts))
            .exceptionallyAsync(this::giveUp, threads) // not in the JVM's thread for timeouts
            .exceptionally(this::giveUp); // where no thread can begin
    return last;
  }

  private CompletableFuture<Map<String, String>> lookUp(
      UnaryOperator<List<String>> configured, Collection<String> hosts) {
    List<String> missing =
        hosts.stream().filter(host -> !known.containsKey(host)).distinct().toList();
    if (failed || missing.isEmpty()) {
      return CompletableFuture.completedFuture(known);
    }
    return CompletableFuture.supplyAsync(() -> configured.apply(missing), threads)
        .orTimeout(patienceMillis, TimeUnit.MILLISECONDS)
        .thenApply(found -> add(missing, found));
  }

  private Map<String, String> add(List<String> hosts, List<String> found) {
    if (found.size() != hosts.size()) {
      throw new IllegalStateException(
          "for " + hosts.size() + " hosts there are " + found.size() + " racks");
    }
    Map<String, String> all = new HashMap<>(known);
    for (int i = 0; i < found.size(); i++) {
      all.put(hosts.get(i), found.get(i));
    }
    known = Map.copyOf(all);
    return known;
  }

  private Map<String, String> giveUp(Throwable thrown) {
    if (!failed) {
      failed = true;
      Throwable original =
          thrown instanceof CompletionException && thrown.getCause() != null
              ? thrown.getCause()
              : thrown;
      String cause =
          original instanceof TimeoutException
              ? "no answer came within " + patienceMillis + " ms"
              : original.toString();
      LOG.warn(
          "{}",
          ErrorText.of(
              "the racks of hosts cannot be found, so that all not found so far count as being in"
                  + " one",
              cause,
              "see that what spark.hadoop."
                  + MAPPING
                  + " and spark.hadoop."
                  + SCRIPT
                  + " name works at the driver, or set neither"));
      LOG.debug("The racks of hosts were not found", original);
    }
    return known;
  }

  /** Processes with the racks of their hosts; a machine of several names is in one rack. */
  static List<Wire.Member> placed(List<Wire.Member> processes, Map<String, String> racksOfHosts) {
    if (racksOfHosts.isEmpty()) {
      return processes;
    }
    Map<String, String> ofNode = new HashMap<>();
    List<Wire.Member> placed = new ArrayList<>();
    for (Wire.Member member : processes) {
      String rack = racksOfHosts.getOrDefault(member.host(), "");
      String known = ofNode.putIfAbsent(member.node(), rack);
      placed.add(member.in(known == null ? rack : known));
    }
    return placed;
  }
}
