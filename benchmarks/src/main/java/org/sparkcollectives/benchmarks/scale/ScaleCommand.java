package org.sparkcollectives.benchmarks.scale;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.charts.ChartSvg;
import org.sparkcollectives.benchmarks.report.Environment;
import org.sparkcollectives.benchmarks.report.Names;
import org.sparkcollectives.benchmarks.report.Numbers;
import org.sparkcollectives.benchmarks.report.Output;
import org.sparkcollectives.benchmarks.report.Tables;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.select.Choice;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.internal.text.Amount;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Request;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code benchmarks/run scale}: tens of thousands of ranks in the simulator. */
@Command(
    name = ScaleReport.NAME,
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Simulates the selected algorithm of every collective among up to tens of thousands of ranks,"
          + " by the built-in cost profile, beside the time that no algorithm beats. Measures"
          + " nothing."
    })
public final class ScaleCommand implements Callable<Integer> {

  @Option(
      names = "--ranks",
      split = ",",
      defaultValue = "1024,8192,65536",
      description = "Numbers of ranks, 2 or more (default: ${DEFAULT-VALUE}).")
  private List<Integer> ranks = List.of();

  @Option(
      names = "--ranks-per-host",
      split = ",",
      defaultValue = "1,8",
      description = "How many ranks share a host and its card (default: ${DEFAULT-VALUE}).")
  private List<Integer> perHosts = List.of();

  @Option(
      names = "--sizes",
      split = ",",
      defaultValue = "8,1k,32k,1m,32m,1g",
      description = "Sizes of a vector, such as 8, 32k or 1m (default: ${DEFAULT-VALUE}).")
  private List<String> sizes = List.of();

  @Option(names = "--collective", split = ",", description = "Collectives (default: all).")
  private List<String> collectives = List.of();

  @Option(
      names = "--most-rounds",
      defaultValue = "2500000",
      description = {
        "Rounds of all ranks together up to which schedules are executed (default: ${DEFAULT-VALUE}"
            + "). Of pipelines with more, fewer blocks are executed; of"
            + " others the price is taken."
      })
  private long mostRounds;

  @Option(
      names = "--charts",
      paramLabel = "FOLDER",
      description = "Folder to write charts to (default: none are drawn).")
  private @Nullable Path charts;

  @Mixin private final Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by picocli. */
  public ScaleCommand() {}

  @Override
  public Integer call() throws IOException {
    new Numbers(spec).check("--ranks", 2, ranks).check("--ranks-per-host", 1, perHosts);
    List<Collective> measured =
        new Names(spec).collectives(collectives, List.of(Collective.values()));
    List<Long> amounts = sizes.stream().map(Amount::bytes).toList();
    Environment environment = output.environment("");
    List<Cell> cells = new ArrayList<>();
    for (int perHost : perHosts) {
      for (Collective collective : measured) {
        for (int size : ranks) {
          add(cells, collective, amounts, size, perHost);
        }
      }
    }
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("profile", CostModel.DEFAULT.provenance().machine());
    settings.put("rounds of all ranks that are executed", "up to " + mostRounds);
    ScaleReport report = new ScaleReport(output.name(), environment, settings, cells);
    output.deliver(report);
    if (charts != null) {
      draw(report, charts);
    }
    return 0;
  }

  private void add(
      List<Cell> cells, Collective collective, List<Long> amounts, int size, int perHost) {
    Topology topology =
        perHost == 1
            ? Topology.FLAT
            : Topology.ofHosts(IntStream.range(0, size).map(r -> r / perHost).boxed().toList());
    Selector selector = new Selector(CostModel.DEFAULT);
    for (long bytes : collective == Collective.BARRIER ? List.of(8L) : amounts) {
      Request request = Request.of(collective, size, bytes, false, topology);
      Choice choice;
      try {
        choice = selector.priced(request, null);
      } catch (InvalidInputException e) {
        output.progress(String.valueOf(e.getMessage()));
        continue;
      }
      boolean empty = collective == Collective.BARRIER;
      double block = empty ? 0 : (double) request.bytes() / choice.problem().blocks();
      Estimate estimate = Estimate.of(CostModel.DEFAULT, choice, block, mostRounds);
      Cell cell =
          new Cell(
              perHost,
              size,
              collective.slug(),
              bytes,
              choice.algorithm().slug(),
              choice.problem().blocks(),
              estimate.way().name().toLowerCase(Locale.ROOT),
              estimate.nanos() / 1e3,
              selector.bound(request) / 1e3);
      cells.add(cell);
      output.progress(
          String.format(
              Locale.ROOT,
              "%d ranks, %d per host, %s of %s by %s: %.2f times the bound, %s, %.2f times the price",
              size,
              perHost,
              collective.slug(),
              Tables.bytes(bytes),
              cell.algorithm(),
              cell.overBound(),
              cell.way(),
              estimate.nanos() / choice.nanos()));
    }
  }

  private void draw(ScaleReport report, Path folder) throws IOException {
    Files.createDirectories(folder);
    for (int perHost : perHosts) {
      for (int size : ranks) {
        List<Cell> cells =
            report.cells().stream()
                .filter(cell -> cell.perHost() == perHost && cell.ranks() == size)
                .toList();
        String title = "%d ranks, %d on each host".formatted(size, perHost);
        Path file = folder.resolve("scale-%d-of-%d.svg".formatted(size, perHost));
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
          ChartSvg.write(ScaleChart.of(cells, title), out);
        }
      }
    }
  }
}
