package org.sparkcollectives.benchmarks.charts;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jfree.chart.JFreeChart;
import org.sparkcollectives.benchmarks.report.Folders;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.schedule.Collective;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code benchmarks/run charts}: predicted times as pictures. */
@Command(
    name = "charts",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Draws which algorithm is predicted to win where, and by how much. Measures nothing.")
public final class ChartsCommand implements Callable<Integer> {
  private static final List<Prices> OPERATIONS =
      List.of(
          new Prices(Collective.BROADCAST, false),
          new Prices(Collective.REDUCE, false),
          new Prices(Collective.REDUCE, true),
          new Prices(Collective.ALLREDUCE, false),
          new Prices(Collective.ALLREDUCE, true),
          new Prices(Collective.SCAN, true));
  private static final List<Integer> SIZES = List.of(8, 13, 1000);

  @Option(
      names = "--folder",
      description = "Folder to write the charts to (default: that of the documents).")
  private Path folder = Folders.charts();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by picocli. */
  public ChartsCommand() {}

  @Override
  public Integer call() throws IOException {
    Files.createDirectories(folder);
    for (Prices prices : OPERATIONS) {
      List<String> registry =
          Algorithms.of(prices.collective()).stream().map(Algorithm::slug).toList();
      WinnerMap map = new WinnerMap(prices, registry);
      write(map.chart(), prices.name() + "-winners.svg");
      PrintWriter err = spec.commandLine().getErr();
      err.println(prices.name() + " of " + map.cells() + " cells: " + map.shares());
      err.flush();
      for (int size : SIZES) {
        write(
            new RelativeTimes(prices, size, registry).chart(), prices.name() + "-" + size + ".svg");
      }
    }
    return 0;
  }

  private void write(JFreeChart chart, String name) throws IOException {
    try (Writer out = Files.newBufferedWriter(folder.resolve(name), StandardCharsets.UTF_8)) {
      ChartSvg.write(chart, out);
    }
  }
}
