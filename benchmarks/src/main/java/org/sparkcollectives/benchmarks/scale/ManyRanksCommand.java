package org.sparkcollectives.benchmarks.scale;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.sparkcollectives.benchmarks.chaos.TableReport;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.Names;
import org.sparkcollectives.benchmarks.report.Numbers;
import org.sparkcollectives.benchmarks.report.Output;
import org.sparkcollectives.benchmarks.report.Tables;
import org.sparkcollectives.benchmarks.scale.ManyRanksProcess.Held;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.internal.text.Amount;
import org.sparkcollectives.schedule.Collective;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code benchmarks/run many-ranks}: hundreds of ranks on one machine. */
@Command(
    name = "many-ranks",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs every collective among hundreds of ranks on this machine, checks all results, and says"
          + " what ranks hold: links, threads, memory.",
      "Each process has several ranks, as an executor has tasks. They talk through its memory; those"
          + " of several processes through memory that these share, or, between what are said to be"
          + " hosts, over the loopback interface."
    })
public final class ManyRanksCommand implements Callable<Integer> {
  /** Collectives whose algorithms give each rank few peers, whatever the vector's length. */
  private static final List<Collective> OF_FEW_PEERS =
      List.of(
          Collective.BROADCAST,
          Collective.REDUCE,
          Collective.ALLREDUCE,
          Collective.SCAN,
          Collective.EXSCAN,
          Collective.BARRIER);

  /** The threads of a process beside those of its ranks: the JVM's, and the endpoint's one. */
  private static final int MOST_THREADS = 16;

  private static final long MOST_BYTES = 8L << 30;

  private static final String SELECTED = "selected";
  private static final List<String> BY_DEFAULT = List.of(SELECTED, "two-tree");

  @Option(
      names = "--ranks",
      split = ",",
      defaultValue = "256,512",
      description = "Numbers of ranks (default: ${DEFAULT-VALUE}).")
  private List<Integer> ranks = List.of();

  @Option(
      names = "--processes",
      defaultValue = "8",
      description = "Processes that share the ranks equally (default: ${DEFAULT-VALUE}).")
  private int processes;

  @Option(
      names = "--hosts",
      defaultValue = "2",
      description = "Hosts that the processes say they are on (default: ${DEFAULT-VALUE}).")
  private int hosts;

  @Option(names = "--collective", split = ",", description = "Collectives (default: all).")
  private List<String> collectives = List.of();

  @Option(
      names = "--algorithms",
      split = ",",
      description =
          "Slugs, or "
              + SELECTED
              + " for the selector's choice (default: this, and two-tree where there is one).")
  private List<String> algorithms = List.of();

  @Option(
      names = "--sizes",
      split = ",",
      defaultValue = "4k,256k",
      description = "Sizes of a whole vector, such as 8, 32k or 1m (default: ${DEFAULT-VALUE}).")
  private List<String> sizes = List.of();

  @Option(
      names = "--rounds",
      defaultValue = "3",
      description = "Operations that are timed, after others (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--timeout",
      defaultValue = "300",
      description = "Seconds that an operation may take (default: ${DEFAULT-VALUE}).")
  private long timeout;

  @Mixin private final Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  private final List<List<String>> rows = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();

  /** Made by picocli. */
  public ManyRanksCommand() {}

  @Override
  public Integer call() throws IOException {
    new Numbers(spec).check("--rounds", 1, rounds).check("--timeout", 1, timeout);
    Names names = new Names(spec);
    List<Collective> measured = names.collectives(collectives, List.of(Collective.values()));
    names.algorithms(algorithms, measured, SELECTED);
    List<Long> amounts = sizes.stream().map(Amount::bytes).toList();
    if (amounts.stream().anyMatch(amount -> amount > MOST_BYTES)) {
      throw bad("--sizes is up to 8g: a vector is an array of doubles");
    }
    for (int size : ranks) {
      if (processes < 1 || size % processes != 0 || size <= processes) {
        throw bad("%d ranks are not several in each of %d processes".formatted(size, processes));
      }
    }
    if (hosts < 1 || hosts > processes) {
      throw bad("%d processes cannot be on %d hosts".formatted(processes, hosts));
    }
    Environment environment = output.environment("");
    rows.add(
        List.of(
            "ranks",
            "collective",
            "algorithm",
            "vector",
            "time",
            "most links of a rank",
            "mean",
            "connections of a process",
            "its open files",
            "its threads beside the ranks'",
            "heap and direct buffers per rank",
            "shared memory per rank"));
    for (int size : ranks) {
      try (ManyRanks all = ManyRanks.start(size, processes, hosts, timeout)) {
        for (Check check : checks(size, measured, amounts)) {
          measure(all, size, check);
        }
      }
    }
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("processes", processes + " on " + hosts + " hosts, all of them this machine");
    settings.put(
        "time",
        "of one of "
            + rounds
            + " operations in a row, on the slowest rank, which all ranks begin after a checked one"
            + " and "
            + ManyRanksProcess.WARM_UP
            + " to warm up");
    settings.put(
        "links", "those that a rank has opened for a communicator of that operation alone");
    output.deliver(
        new TableReport(output.name(), environment, settings, rows, List.of(), complaints));
    return complaints.isEmpty() ? 0 : 1;
  }

  private ParameterException bad(String what) {
    return new ParameterException(spec.commandLine(), what);
  }

  private List<Check> checks(int size, List<Collective> measured, List<Long> amounts) {
    List<Check> checks = new ArrayList<>();
    for (Collective collective : measured) {
      for (String slug : algorithms.isEmpty() ? BY_DEFAULT : algorithms) {
        if (slug.equals(SELECTED) || has(collective, slug)) {
          for (long amount : collective == Collective.BARRIER ? List.of(0L) : amounts) {
            String named = slug.equals(SELECTED) ? null : slug;
            checks.add(new Check(collective, named, Check.elements(amount, size)));
          }
        }
      }
    }
    return checks;
  }

  private static boolean has(Collective collective, String slug) {
    return Algorithms.of(collective).stream().map(Algorithm::slug).anyMatch(slug::equals);
  }

  private void measure(ManyRanks all, int size, Check check) throws IOException {
    String what = size + " ranks, " + check.collective().slug();
    all.join();
    ManyRanks.Run run;
    try {
      run = all.run(check, rounds);
    } catch (IOException e) {
      throw new IOException(what + " " + check.words() + ": " + e.getMessage(), e);
    }
    List<Held> held = all.held();
    all.leave();
    int links = held.stream().mapToInt(Held::mostLinks).max().orElse(0);
    int threads = held.stream().mapToInt(Held::threads).max().orElse(0);
    int limit = 2 * Powers.ceilLog2(size);
    if (OF_FEW_PEERS.contains(check.collective()) && links > limit) {
      complaints.add(what + " by " + run.algorithm() + ": a rank has " + links + " links");
    }
    if (threads > MOST_THREADS) {
      complaints.add(what + ": a process has " + threads + " threads beside its ranks'");
    }
    String vector =
        check.elements() == 0 ? "-" : Tables.bytes((long) check.elements() * Double.BYTES);
    List<String> row =
        List.of(
            String.valueOf(size),
            check.collective().slug(),
            run.algorithm(),
            vector,
            Tables.micros(run.micros()),
            String.valueOf(links),
            decimal(held.stream().mapToDouble(Held::links).sum() / size),
            String.valueOf(held.stream().mapToLong(Held::connections).max().orElse(0)),
            String.valueOf(held.stream().mapToLong(Held::descriptors).max().orElse(0)),
            String.valueOf(threads),
            kibibytes(held.stream().mapToLong(Held::bytes).sum() / size),
            kibibytes(held.stream().mapToLong(Held::mapped).sum() / 2 / size));
    rows.add(row);
    output.progress(String.join(", ", row));
  }

  private static String kibibytes(long bytes) {
    return (bytes + 1023) / 1024 + " KiB";
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
