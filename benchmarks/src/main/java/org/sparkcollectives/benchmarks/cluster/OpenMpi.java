package org.sparkcollectives.benchmarks.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.sparkcollectives.benchmarks.report.Folders;
import org.sparkcollectives.benchmarks.report.TemporaryFolder;
import org.sparkcollectives.schedule.Collective;

/**
 * Open MPI, over TCP, through memory, or, where several ranks share a host, both. Every measurement
 * starts and ends a job, so that no process polls while others are measured.
 */
final class OpenMpi implements Rival {
  private static final Duration COMPILED_WITHIN = Duration.ofMinutes(5);

  /** Arguments of the program have at least one double. */
  private static final long LEAST_BYTES = Double.BYTES;

  private static final List<String> SETTINGS =
      List.of(
          "--allow-run-as-root",
          "--oversubscribe",
          "--bind-to none",
          "--mca pml ob1",
          "--mca mpi_yield_when_idle 1");

  /** What is different in a rival, and its name. */
  private enum Kind {
    DEFAULT("open-mpi"),
    MEMORY("open-mpi, memory"),
    HIERARCHICAL("open-mpi, han");

    private final String title;

    Kind(String title) {
      this.title = title;
    }
  }

  private final Network network;
  private final Placement placement;
  private final Kind kind;
  private final TemporaryFolder folder;
  private final Path program;
  private final Path agent;
  private final String version;

  private OpenMpi(
      Network network, Placement placement, Kind kind, TemporaryFolder folder, String version) {
    this.network = network;
    this.placement = placement;
    this.kind = kind;
    this.folder = folder;
    this.program = folder.path().resolve("collectives");
    this.agent = folder.path().resolve("agent");
    this.version = version;
  }

  /**
   * Compiles the program that is measured.
   *
   * @param network the hosts
   * @param placement their ranks
   * @throws IOException if Open MPI is not there or the program does not compile
   */
  static OpenMpi compile(Network network, Placement placement) throws IOException {
    String version =
        output(plain(List.of("mpirun", "--version")), COMPILED_WITHIN)
            .lines()
            .findFirst()
            .orElse("");
    TemporaryFolder folder = TemporaryFolder.of("collectives-mpi");
    OpenMpi mpi = new OpenMpi(network, placement, Kind.DEFAULT, folder, version);
    boolean compiled = false;
    try {
      Path source = Folders.home().resolve(Path.of("src", "main", "c", "collectives.c"));
      List<String> compiler =
          List.of("mpicc", "-O2", "-o", mpi.program.toString(), source.toString());
      output(plain(compiler), COMPILED_WITHIN);
      if (network.hasCards()) {
        writeAgent(network.remoteShell(), mpi.agent);
      }
      compiled = true;
      return mpi;
    } finally {
      if (!compiled) {
        mpi.close();
      }
    }
  }

  /**
   * Writes a script that puts words before its own. Open MPI cuts the agent that it is told at
   * spaces, which the words may have, and files of the temporary folder have not.
   *
   * @param words a command and its first arguments
   * @param file the script
   * @throws IOException if it cannot be written
   */
  static void writeAgent(List<String> words, Path file) throws IOException {
    String quoted =
        words.stream()
            .map(word -> "'" + word.replace("'", "'\\''") + "'")
            .collect(Collectors.joining(" "));
    Files.writeString(file, "#!/bin/sh\nexec " + quoted + " \"$@\"\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  /** The same program, whose processes, all on one host, use memory that they share. */
  OpenMpi throughMemory() {
    return new OpenMpi(network, placement, Kind.MEMORY, folder, version);
  }

  /** The same program with the component for several ranks on a host. */
  OpenMpi hierarchical() {
    return new OpenMpi(network, placement, Kind.HIERARCHICAL, folder, version);
  }

  @Override
  public String name() {
    return kind.title;
  }

  @Override
  public String description() {
    return version + ", " + String.join(" ", settings());
  }

  private List<String> settings() {
    List<String> settings = new ArrayList<>(SETTINGS);
    boolean memory = kind == Kind.MEMORY;
    settings.add(
        "--mca btl " + (placement.shared() ? "tcp,vader" : memory ? "vader" : "tcp") + ",self");
    if (kind == Kind.HIERARCHICAL) {
      settings.add("--mca coll_han_priority 100");
    }
    if (placement.interleaved()) {
      settings.add("--map-by node");
    }
    return settings;
  }

  @Override
  public List<Double> run(
      Collective collective, long bytes, int warmUp, int counted, Duration limit)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("mpirun"));
    settings().forEach(setting -> command.addAll(List.of(setting.split(" ", -1))));
    command.addAll(List.of("-np", Integer.toString(placement.ranks())));
    String card = network.hasCards() ? "eth0" : "lo";
    if (kind != Kind.MEMORY) {
      command.addAll(List.of("--mca", "btl_tcp_if_include", card));
    }
    if (network.hasCards()) {
      List<String> hosts = new ArrayList<>();
      for (int host = 0; host < network.hosts(); host++) {
        hosts.add(network.address(host) + ":" + placement.ranksPerHost());
      }
      command.addAll(List.of("--host", String.join(",", hosts)));
      command.addAll(List.of("--mca", "oob_tcp_if_include", card));
      command.addAll(List.of("--mca", "plm_rsh_agent", agent.toString()));
      command.addAll(List.of("--mca", "plm_rsh_no_tree_spawn", "1"));
    }
    command.addAll(List.of(program.toString(), collective.slug()));
    command.add(Long.toString(Math.max(LEAST_BYTES, bytes)));
    command.addAll(List.of(Integer.toString(warmUp), Integer.toString(counted)));
    List<Double> micros =
        output(network.start(0, command), limit).lines().map(Double::valueOf).toList();
    if (micros.size() != counted) {
      throw new IOException(
          "Open MPI printed " + micros.size() + " times of " + counted + ": " + micros);
    }
    return micros;
  }

  @Override
  public void close() throws IOException {
    folder.close();
  }

  private static Process plain(List<String> command) throws IOException {
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static String output(Process process, Duration limit) throws IOException {
    String all = Printed.by(process, "a process", limit);
    int code = process.exitValue();
    if (code != 0) {
      throw new IOException(
          "a process has ended with exit code " + code + "; its error stands above");
    }
    return all;
  }
}
