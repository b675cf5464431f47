package org.sparkcollectives.tools.internal.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.GroupOptions;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.calibrate.Calibration;
import org.sparkcollectives.internal.calibrate.ConnectionSearch;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.schedule.Level;
import org.sparkcollectives.spark.internal.calibrate.ClusterCalibration;
import org.sparkcollectives.spark.internal.conf.CostProfile;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures what communication costs on a running cluster, or in a group of processes. */
@Command(
    name = "calibrate",
    mixinStandardHelpOptions = true,
    description =
        "Measures α, β, the gap and γ and writes a cost profile: on a running cluster of Spark, or"
            + " among processes without it, in each of which the command is run as one rank.")
final class CalibrateCommand implements Callable<Integer> {
  private static final String NAME = "collectives calibrate";

  /** Words by which Spark's own redaction knows secrets, in a setting's key or in its value. */
  private static final Pattern SECRET = Pattern.compile("(?i)secret|password|token|access[.]?key");

  @ArgGroup(multiplicity = "1")
  private Ranks ranks = new Ranks();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "PATH",
      defaultValue = "profile.json",
      description =
          "where to, with Spark in any file system of Hadoop, without by rank 0 (default:"
              + " ${DEFAULT-VALUE})")
  private String output = "";

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Where the ranks are: one of the two. */
  static final class Ranks {
    @ArgGroup(exclusive = false)
    private @Nullable Cluster cluster;

    @ArgGroup(exclusive = false)
    private @Nullable Processes processes;
  }

  /** A cluster of Spark. */
  static final class Cluster {
    @Option(
        names = "--master",
        required = true,
        paramLabel = "URL",
        description = "the cluster's master, as for spark-submit")
    private String master = "";

    @Option(names = "--conf", paramLabel = "KEY=VALUE", description = "a setting of Spark")
    private Map<String, String> settings = Map.of();
  }

  /** A group of processes, of which this one is a rank. */
  static final class Processes {
    @Option(
        names = "--first",
        required = true,
        paramLabel = "HOST:PORT",
        description = "where rank 0 listens")
    private String first = "";

    @Option(
        names = "--size",
        required = true,
        paramLabel = "P",
        description = "the number of ranks")
    private int size;

    @Option(
        names = "--secret-file",
        required = true,
        paramLabel = "FILE",
        description = "holds what all ranks know and nobody else, 32 hexadecimal digits or more")
    private Path secret = Path.of("");

    @Option(
        names = "--rank",
        paramLabel = "R",
        description = "this process's rank; if not given, any but 0")
    private @Nullable Integer rank;

    @Option(
        names = "--connections",
        paramLabel = "N",
        description =
            "how many connections two ranks that share no memory have to each other; if rank 0 is not"
                + " told, as many as help")
    private @Nullable Integer connections;

    @Option(
        names = "--rack",
        paramLabel = "NAME",
        description =
            "the rack of this process's host, so that uplinks are measured, too; if not given, it is"
                + " not known")
    private String rack = "";
  }

  @Override
  public Integer call() throws IOException {
    if (ranks.cluster != null) {
      measure(ranks.cluster);
    } else if (ranks.processes != null) {
      measure(ranks.processes);
    }
    return 0;
  }

  private void measure(Cluster cluster) throws IOException {
    NeedsSparkException.throwIfMissing("'" + NAME + "' cannot run");
    ShellWords line = command("--master", cluster.master, "-o", output);
    cluster.settings.forEach((key, value) -> line.add("--conf", key + "=" + shown(key, value)));
    ClusterCalibration.run(
        cluster.master, cluster.settings, output, line.toString(), this::tell, this::print);
    printWritten();
  }

  /** A setting's value, or what stands for it in a profile, which others read. */
  static String shown(String key, String value) {
    return SECRET.matcher(key).find() || SECRET.matcher(value).find() ? "..." : value;
  }

  private static ShellWords command(String... options) {
    return new ShellWords().add("collectives", "calibrate").add(options);
  }

  private void measure(Processes processes) {
    InvalidInputException.requireAtLeast("--size", processes.size, 1);
    Integer given = processes.connections;
    if (given != null && (given < 1 || given > Roster.MOST_CONNECTIONS)) {
      throw OptionErrors.otherConnections(given, Roster.MOST_CONNECTIONS);
    }
    GroupOptions.Builder options =
        GroupOptions.builder()
            .size(processes.size)
            .first(processes.first)
            .rack(processes.rack)
            .secret(secret(processes.secret));
    if (processes.rank != null) {
      options.rank(processes.rank);
      if (processes.rank == 0) {
        requireWritable();
      }
    }
    ShellWords command = command("--first", processes.first);
    command.add("--size", Integer.toString(processes.size));
    command.add("--secret-file", processes.secret.toString(), "--rank", "0", "-o", output);
    if (given != null) {
      command.add("--connections", given.toString());
    }
    if (!processes.rack.isEmpty()) {
      command.add("--rack", processes.rack);
    }
    try (Group group = Group.open(options.build())) {
      Consumer<String> progress = group.rank() == 0 ? this::tell : step -> {};
      int connections = connections(group, given == null ? 0 : given, progress);
      try (Communicator communicator =
          group.communicator(CommunicatorOptions.DEFAULT, connections)) {
        CostModel model = Calibration.measure(communicator, command.toString(), progress).model();
        if (group.rank() == 0) {
          String profile = CostProfile.write(model, connections);
          print(profile);
          write(profile);
          printWritten();
        }
        communicator.barrier(); // nobody ends well if rank 0 could not write
      }
    }
  }

  /** Rank 0's number for all ranks, or what they find together where it has none. */
  private static int connections(Group group, int own, Consumer<String> progress) {
    int[] ofRankZero = {own};
    try (Communicator communicator = group.communicator()) {
      communicator.broadcast(ofRankZero, 0);
    }
    return ofRankZero[0] > 0
        ? ofRankZero[0]
        : ConnectionSearch.search(count -> nanosPerByte(group, count), progress);
  }

  private static double nanosPerByte(Group group, int connections) {
    try (Communicator communicator = group.communicator(CommunicatorOptions.DEFAULT, connections)) {
      return ConnectionSearch.nanosPerByte(communicator);
    }
  }

  /** Says how far the measurement is, beside its result. */
  private void tell(String step) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("  … " + step);
    err.flush();
  }

  private static byte[] secret(Path file) {
    byte[] secret;
    try {
      secret = HexFormat.of().parseHex(Files.readString(file).strip());
    } catch (CharacterCodingException | IllegalArgumentException e) { // which may quote it
      throw OptionErrors.noSecret(file.toString());
    } catch (IOException e) {
      throw OptionErrors.notRead(file.toString(), e);
    }
    if (secret.length < GroupOptions.LEAST_SECRET) {
      throw OptionErrors.noSecret(file.toString());
    }
    return secret;
  }

  /** Opens the output, and leaves it as it was: a measurement takes long and ends with it. */
  private void requireWritable() {
    try {
      Path file = Path.of(output);
      boolean isNew = Files.notExists(file);
      Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE).close();
      if (isNew) {
        Files.delete(file);
      }
    } catch (IOException | IllegalArgumentException e) {
      throw OptionErrors.notWritten(output, e);
    }
  }

  private void write(String profile) {
    try {
      Files.writeString(Path.of(output), profile);
    } catch (IOException | IllegalArgumentException e) {
      throw OptionErrors.notWritten(output, e);
    }
  }

  private void printWritten() {
    spec.commandLine().getOut().println("written to " + output);
  }

  private void print(String profile) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(profile);
    print(CostProfile.read(profile, output), out);
    int connections = CostProfile.connections(profile, output);
    if (connections > 1) {
      out.println("connections: " + connections + " between two ranks that share no memory");
    }
    out.flush();
  }

  /** A line for each level, and one for γ. */
  private static void print(CostModel model, PrintWriter out) {
    for (Level level : Level.values()) {
      LevelCost cost = model.at(level);
      out.println(
          Calibration.text(level, cost)
              + (cost.equals(CostModel.DEFAULT.at(level)) ? " (built-in, not measured)" : ""));
    }
    out.printf(Locale.ROOT, "combining: γ = %.3f ns per byte%n", model.gammaNanosPerByte());
  }
}
