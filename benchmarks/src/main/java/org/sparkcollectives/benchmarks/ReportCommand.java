package org.sparkcollectives.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.sparkcollectives.benchmarks.cluster.SavedResults;
import org.sparkcollectives.benchmarks.report.HtmlPage;
import org.sparkcollectives.benchmarks.report.Result;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code benchmarks/run report}: a page of results that were measured before. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Makes one page with tables and charts of earlier results. Measures nothing.")
final class ReportCommand implements Callable<Integer> {
  private static final String JSON = ".json";

  @Parameters(
      arity = "1..*",
      paramLabel = "PATH",
      description = "JSON files of results, or folders of such, as below benchmarks/results.")
  private List<Path> paths = List.of();

  @Option(names = "--html", required = true, paramLabel = "FILE", description = "Page to write.")
  private Path page = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    List<Result> results = new ArrayList<>();
    try {
      for (Path file : files()) {
        results.add(SavedResults.read(file));
      }
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    HtmlPage.write(results, page);
    spec.commandLine().getErr().println(results.size() + " results written to " + page);
    return 0;
  }

  private List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path path : paths) {
      List<Path> found = Files.isRegularFile(path) ? List.of(path) : List.of();
      if (Files.isDirectory(path)) {
        try (Stream<Path> below = Files.list(path)) {
          found = below.filter(file -> file.toString().endsWith(JSON)).sorted().toList();
        }
      }
      if (found.isEmpty()) {
        throw new IllegalArgumentException(
            path + " is no JSON file of a result and no folder with one.");
      }
      files.addAll(found);
    }
    return files;
  }
}
