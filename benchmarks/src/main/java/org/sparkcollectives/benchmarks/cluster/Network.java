package org.sparkcollectives.benchmarks.cluster;

import java.io.IOException;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.report.Folders;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.testing.StandaloneCluster;

/**
 * The hosts of a run: those of the script {@code benchmarks/netcluster}, or processes of one host,
 * which talk over its loopback interface or through memory. {@link #close()} ends the processes
 * started here and removes what was made; so does the end of the JVM, also by Ctrl-C.
 *
 * <p>A run whose controlling process exchanges data with the hosts, as Spark's driver does, has one
 * more host for it, and goes on there in a process of its own, which {@link #again} starts.
 */
public final class Network implements AutoCloseable {
  private static final Duration SCRIPT_LIMIT = Duration.ofMinutes(2);
  private static final long END_SECONDS = 40;

  /** The most hosts that the script makes. */
  private static final int MOST_HOSTS = 200;

  /** The script's exit code where the machine lacks what hosts need. */
  private static final int LACKING = 3;

  /** The property with the network's name, in the process that {@link #again} starts. */
  private static final String INSIDE = "benchmarks.network";

  private final int hosts;
  private final @Nullable String name;
  private final Path script;
  private final boolean inside;
  private final boolean memory;
  private final Thread removal = new Thread(this::remove, "netcluster-down");
  private final List<Process> processes = new CopyOnWriteArrayList<>();
  private boolean removed;

  /** Where the hosts' network cards come from. */
  public enum Kind {
    /** Network namespaces where they can be made, else loopback. */
    AUTO,
    /** Network namespaces. */
    NAMESPACES,
    /** One host, whose processes talk over its loopback interface. */
    LOOPBACK,
    /** One host, whose processes talk through memory that they share. */
    MEMORY
  }

  private Network(int hosts, @Nullable String name, Path script, boolean inside, boolean memory) {
    this.hosts = hosts;
    this.name = name;
    this.script = script;
    this.inside = inside;
    this.memory = memory;
    Runtime.getRuntime().addShutdownHook(removal);
  }

  /**
   * Makes the hosts of a run.
   *
   * @param kind {@code auto}, {@code namespaces}, {@code loopback} or {@code memory}
   * @param hosts how many hosts have ranks
   * @param driver whether there is one more for the controlling process
   * @param rate the rate of each network card, such as {@code 200mbit}
   * @param progress is told when the hosts have no network cards, and why
   * @return the hosts
   * @throws IllegalArgumentException if kind or rate is none, there cannot be so many hosts with
   *     network cards, or hosts cannot have them on this machine although the kind asks for that
   * @throws UncheckedIOException if they could have network cards, and the script fails
   */
  public static Network of(
      String kind, int hosts, boolean driver, String rate, Consumer<String> progress) {
    Kind wanted;
    try {
      wanted = Kind.valueOf(kind.toUpperCase(Locale.ROOT));
      Rates.bitsPerSecond(rate);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--network is auto, namespaces, loopback or memory, and --rate is such as 500kbit, 200mbit"
              + " or 2.5gbit, from 10kbit to 100gbit, not '"
              + kind
              + "' and '"
              + rate
              + "'.",
          e);
    }
    String known = System.getProperty(INSIDE);
    if (known != null) {
      return new Network(hosts, known, script(), true, false);
    }
    if (wanted == Kind.MEMORY) {
      progress.accept("the ranks share one host's memory, without a rate or a lower bound");
      return new Network(hosts, null, Path.of(""), false, true);
    }
    String obstacle = wanted == Kind.LOOPBACK ? "--network asks for it" : obstacle();
    if (obstacle == null) {
      requireHosts(hosts + (driver ? 1 : 0));
      try {
        return emulated(hosts, driver, rate);
      } catch (LackingException e) {
        obstacle = String.valueOf(e.getMessage());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    if (wanted == Kind.NAMESPACES) {
      throw new IllegalArgumentException(
          "Hosts with network cards of their own cannot be made: " + obstacle + ".");
    }
    progress.accept(
        "the hosts share the loopback interface, without a rate or a lower bound: " + obstacle);
    return loopback(hosts);
  }

  /**
   * Processes on one machine's loopback interface.
   *
   * @param hosts how many
   * @return the hosts
   */
  public static Network loopback(int hosts) {
    return new Network(hosts, null, Path.of(""), false, false);
  }

  private static Network emulated(int hosts, boolean driver, String rate) throws IOException {
    String name = "bench" + ProcessHandle.current().pid();
    Network network = new Network(hosts, name, script(), false, false);
    boolean up = false;
    try {
      network.script("up", name, Integer.toString(hosts + (driver ? 1 : 0)), rate);
      up = true;
      return network;
    } finally {
      if (!up) {
        network.close();
      }
    }
  }

  private static void requireHosts(int all) {
    if (all < 1 || all > MOST_HOSTS) {
      throw new IllegalArgumentException(
          "1 to "
              + MOST_HOSTS
              + " hosts can have network cards of their own, with the driver's where there is one,"
              + " not "
              + all
              + ".");
    }
  }

  /** Why there is no use in asking the script for hosts, or null if there is. */
  private static @Nullable String obstacle() {
    String system = System.getProperty("os.name");
    return system.equals("Linux") ? null : "network namespaces need Linux, this is " + system;
  }

  /** Whether all ranks are on one host and share its memory. */
  boolean sharesMemory() {
    return memory;
  }

  /** Which ranks share a host. */
  Topology topology() {
    return hasCards() ? Topology.FLAT : Topology.ofHosts(Collections.nCopies(hosts, "one"));
  }

  /** What its ranks are, in words. */
  String description(String rate) {
    if (hasCards()) {
      return hosts + " hosts with network cards of " + rate + " each way, in network namespaces";
    }
    String how = memory ? "through memory that they share" : "over its loopback interface";
    return hosts + " processes of one host, which talk " + how;
  }

  /**
   * The same for names of files.
   *
   * @param rate the rate of its network cards
   * @return such as 8x200mbit
   */
  public String label(String rate) {
    return hosts + "x" + (hasCards() ? rate : memory ? "memory" : "loopback");
  }

  /**
   * How many hosts have ranks.
   *
   * @return their number
   */
  public int hosts() {
    return hosts;
  }

  /**
   * Whether every host has a network card of its own.
   *
   * @return false for the loopback interface
   */
  public boolean hasCards() {
    return name != null;
  }

  /**
   * Whether this process is outside of the hosts' network.
   *
   * @return false in the process that {@link #again} has started, and for the loopback interface
   */
  public boolean outside() {
    return hasCards() && !inside;
  }

  /**
   * The address of a host.
   *
   * @param host the host
   * @return an IPv4 address
   * @throws IOException if it cannot be found
   */
  public String address(int host) throws IOException {
    return name == null ? "127.0.0.1" : script("address", Integer.toString(host)).trim();
  }

  /**
   * The hosts that have ranks, for Spark's workers.
   *
   * @return address and launcher of each
   * @throws IOException if an address cannot be found
   */
  public List<StandaloneCluster.Host> workers() throws IOException {
    List<StandaloneCluster.Host> all = new ArrayList<>();
    for (int host = 0; host < hosts; host++) {
      all.add(new StandaloneCluster.Host(address(host), launcher(host)));
    }
    return all;
  }

  /**
   * The host of this process, for Spark's driver and master.
   *
   * @return its address
   * @throws IOException if the address cannot be found
   */
  public StandaloneCluster.Host driver() throws IOException {
    return new StandaloneCluster.Host(address(hosts), List.of());
  }

  /**
   * Starts a command in a host; what it writes to standard error is passed on.
   *
   * @param host the host
   * @param command the command and its arguments
   * @return the process, which ends with the network at the latest
   * @throws IOException if it does not start
   */
  public Process start(int host, List<String> command) throws IOException {
    return start(builder(host, command));
  }

  private ProcessBuilder builder(int host, List<String> command) {
    List<String> words = new ArrayList<>(launcher(host));
    words.addAll(command);
    return new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT);
  }

  private Process start(ProcessBuilder builder) throws IOException {
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  private List<String> launcher(int host) {
    return name == null
        ? List.of()
        : List.of(script.toString(), "exec", name, Integer.toString(host));
  }

  /**
   * Runs a command line again in the host for the controlling process, with this JVM's options, and
   * waits for its end.
   *
   * @param main the main class
   * @param arguments the arguments
   * @return the exit code
   * @throws IOException if it does not start or the wait is interrupted
   */
  public int again(Class<?> main, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(java());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-D" + INSIDE + "=" + name, "-D" + Folders.HOME + "=" + Folders.home()));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    ProcessBuilder builder = builder(hosts, command);
    builder.environment().put("SPARK_LOCAL_IP", address(hosts)); // its host's name has no address
    Process process = start(builder.redirectOutput(ProcessBuilder.Redirect.INHERIT));
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the benchmark runs", e);
    }
  }

  /** The launcher of this JVM's installation. */
  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** The words before a command that is to run in the host whose address follows them. */
  List<String> remoteShell() {
    return name == null ? List.of() : List.of(script.toString(), "rsh", name);
  }

  /**
   * Pulls a host's cable out: what it sends and what is for it is lost.
   *
   * @param host the host, which has a network card
   * @throws IOException if that is not possible
   */
  public void cut(int host) throws IOException {
    change("cut", Integer.toString(host));
  }

  /**
   * Puts a host's cable in again.
   *
   * @param host the host
   * @throws IOException if that is not possible
   */
  public void mend(int host) throws IOException {
    change("mend", Integer.toString(host));
  }

  /**
   * Loses what one host sends to another; the other direction works.
   *
   * @param from the host that is not heard
   * @param to the host that does not hear it
   * @param whether false to lose nothing any more
   * @throws IOException if that is not possible
   */
  public void lose(int from, int to, boolean whether) throws IOException {
    change(whether ? "lose" : "keep", Integer.toString(from), Integer.toString(to));
  }

  /**
   * Gives a host's network card another rate, each way.
   *
   * @param host the host
   * @param times by what its first rate is divided
   * @throws IOException if that is not possible
   */
  public void slow(int host, int times) throws IOException {
    change("slow", Integer.toString(host), Integer.toString(times));
  }

  /**
   * Lets no connection have more than a part of a card's rate.
   *
   * @param most the most that one gets, such as {@code 50mbit}
   * @throws IOException if that is not possible
   */
  void share(String most) throws IOException {
    change("share", most);
  }

  /**
   * Puts the hosts into racks with uplinks; once.
   *
   * @param racks which host is in which
   * @throws IOException if that is not possible
   */
  void divide(Racks racks) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add(Integer.toString(racks.count()));
    arguments.add(racks.uplink());
    if (racks.interleaved()) {
      arguments.add("interleaved");
    }
    change("racks", arguments.toArray(String[]::new));
  }

  private void change(String command, String... arguments) throws IOException {
    if (name == null) {
      throw new IOException("processes of one host have no cables");
    }
    List<String> words = new ArrayList<>(List.of(command, name));
    words.addAll(List.of(arguments));
    script(words.toArray(String[]::new));
  }

  @Override
  public void close() {
    remove();
    try {
      Runtime.getRuntime().removeShutdownHook(removal);
    } catch (IllegalStateException e) {
      return; // the JVM is ending, and the hook finds nothing left to do
    }
  }

  private synchronized void remove() {
    end();
    if (name == null || inside || removed) {
      return;
    }
    removed = true;
    try {
      script("down", name);
    } catch (IOException e) {
      System.err.println("The hosts could not be removed: " + e.getMessage());
    }
  }

  /** Ends the processes, and gives them time to end those that they have started. */
  private void end() {
    processes.forEach(Process::destroy);
    long start = System.nanoTime();
    try {
      for (Process process : processes) {
        long left = TimeUnit.SECONDS.toNanos(END_SECONDS) - (System.nanoTime() - start);
        process.waitFor(Math.max(1, left), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  /** Runs the script and returns what it prints. */
  private String script(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C"); // a locale that is not there is warned of
    Process process = builder.start();
    String text = Printed.by(process, command.toString(), SCRIPT_LIMIT);
    if (process.exitValue() == LACKING) {
      throw new LackingException(text.trim().replaceFirst("\\.$", ""));
    }
    if (process.exitValue() != 0) {
      throw new IOException(command + " ends with " + process.exitValue() + ": " + text.trim());
    }
    return text;
  }

  private static Path script() {
    return Folders.home().resolve("netcluster");
  }

  /** The machine lacks what hosts with network cards need. */
  private static final class LackingException extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    LackingException(String message) {
      super(message);
    }
  }
}
