package org.sparkcollectives.benchmarks.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The hosts of a run: those of the script {@code benchmarks/netcluster}, or processes that share
 * the loopback interface. {@link #close()} ends the processes started here and removes what was
 * made; so does the end of the JVM, also by Ctrl-C.
 */
final class Network implements AutoCloseable {
  private static final long SCRIPT_SECONDS = 120;

  private final int hosts;
  private final @Nullable String name;
  private final Path script;
  private final Thread removal = new Thread(this::remove, "netcluster-down");
  private final List<Process> processes = new CopyOnWriteArrayList<>();
  private boolean removed;

  private Network(int hosts, @Nullable String name, Path script) {
    this.hosts = hosts;
    this.name = name;
    this.script = script;
  }

  /** Processes on one machine's loopback interface. */
  static Network loopback(int hosts) {
    Network network = new Network(hosts, null, Path.of(""));
    Runtime.getRuntime().addShutdownHook(network.removal);
    return network;
  }

  /**
   * Makes hosts with rate-limited network cards.
   *
   * @param hosts how many
   * @param rate the rate of each card, such as {@code 200mbit}
   * @throws IOException if that fails; the message is the script's
   */
  static Network emulated(int hosts, String rate) throws IOException {
    Path script = script();
    String name = "bench" + ProcessHandle.current().pid();
    Network network = new Network(hosts, name, script);
    Runtime.getRuntime().addShutdownHook(network.removal);
    boolean up = false;
    try {
      network.script("up", name, Integer.toString(hosts), rate);
      up = true;
      return network;
    } finally {
      if (!up) {
        network.close();
      }
    }
  }

  /** The folder of the benchmarks' sources. */
  static Path home() {
    return Path.of(System.getProperty("benchmarks.home", "benchmarks")).toAbsolutePath();
  }

  /** Why hosts with network cards of their own cannot be made here, or null if they can. */
  static @Nullable String obstacle() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return "network namespaces need Linux, this is " + System.getProperty("os.name");
    }
    if (!"0".equals(effectiveUser())) {
      return "network namespaces need root, and this is another user";
    }
    return Files.isExecutable(script()) ? null : script() + " is not there";
  }

  /** How many hosts there are. */
  int hosts() {
    return hosts;
  }

  /** Whether every host has a network card of its own. */
  boolean hasCards() {
    return name != null;
  }

  /** The address of a host. */
  String address(int host) throws IOException {
    return name == null ? "127.0.0.1" : script("address", Integer.toString(host)).trim();
  }

  /**
   * Starts a command in a host; what it writes to standard error is passed on.
   *
   * @param host the host
   * @param command the command and its arguments
   * @return the process, which ends with the network at the latest
   * @throws IOException if it does not start
   */
  Process start(int host, List<String> command) throws IOException {
    List<String> words = new ArrayList<>();
    if (name != null) {
      words.addAll(List.of(script.toString(), "exec", name, Integer.toString(host)));
    }
    words.addAll(command);
    Process process =
        new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    processes.add(process);
    return process;
  }

  /** The words before a command that is to run in the host whose address follows them. */
  List<String> remoteShell() {
    return name == null ? List.of() : List.of(script.toString(), "rsh", name);
  }

  @Override
  public void close() {
    remove();
    try {
      Runtime.getRuntime().removeShutdownHook(removal);
    } catch (IllegalStateException e) {
      Thread.onSpinWait(); // the JVM is ending; the hook finds nothing left to do
    }
  }

  private synchronized void remove() {
    processes.forEach(Process::destroyForcibly);
    if (name == null || removed) {
      return;
    }
    removed = true;
    try {
      script("down", name);
    } catch (IOException e) {
      System.err.println("The hosts could not be removed: " + e.getMessage());
    }
  }

  /** Runs the script and returns what it prints. */
  private String script(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (!process.waitFor(SCRIPT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(command + " has not ended within " + SCRIPT_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException(command + " was interrupted", e);
    }
    if (process.exitValue() != 0) {
      throw new IOException(text.trim());
    }
    return text;
  }

  private static Path script() {
    return home().resolve("netcluster");
  }

  /** The number of the user whose rights this process has, empty where it cannot be read. */
  private static String effectiveUser() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("Uid:")) {
          return line.split("\\s+", -1)[2];
        }
      }
      return "";
    } catch (IOException e) {
      return "";
    }
  }
}
