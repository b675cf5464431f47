package org.sparkcollectives.examples.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.examples.Runs;
import org.sparkcollectives.examples.Runs.Run;

/** Examples of estimators come to what MLlib's own estimators come to. */
@Timeout(300)
class EstimatorExamplesTest {

  @Test
  void kMeansFindsMllibsClusters() {
    Run run = Runs.local(2, new KMeans());
    Run mllib = Runs.local(2, new KMeans(), "--mllib");
    assertEquals(0, run.exitCode(), run.output());
    for (String number :
        new String[] {"([0-9]+) iterations in", "cost ([0-9.]+)", "of their class ([0-9.]+)"}) {
      double expected = mllib.lastNumber(number);
      assertEquals(expected, run.lastNumber(number), 1e-9 * expected, run.output());
    }
    assertTrue(run.lastNumber("of their class ([0-9.]+)") > 0.7, run.output());
  }

  /** Data without labels have the same one everywhere, and those of a regression many. */
  @ParameterizedTest
  @ValueSource(strings = {"one", "many", "held-out", "other"})
  void kMeansNeedsNoClasses(String labels, @TempDir Path folder) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int line = 0; line < 2000; line++) {
      double label =
          switch (labels) {
            case "one" -> 0;
            case "many" -> line + 0.5;
            default -> line % 4 == 3 ? 1 : 0;
          };
      lines.add("%s 1:%d 2:%d".formatted(label, line % 2 * 100 + line % 7, line % 5 + 1));
    }
    List<String> arguments = new ArrayList<>(List.of("-k", "2", "--iterations", "2"));
    arguments.add("--data=" + Files.write(folder.resolve("train"), lines));
    if (labels.equals("other")) {
      arguments.add("--test=" + Files.writeString(folder.resolve("test"), "7 1:1 2:1\n"));
    }
    Run run = Runs.local(2, new KMeans(), arguments.toArray(String[]::new));
    assertEquals(0, run.exitCode(), run.output());
    assertTrue(run.lastNumber("cost ([0-9.]+)") > 0, run.output());
    boolean classes = labels.equals("held-out");
    assertTrue(run.output().contains(classes ? "classes 0, 1, " : "no classes, "), run.output());
    assertEquals(classes, run.output().contains("of their class"), run.output());
  }

  /** By three of the ten digits: each is a training of its own. */
  @Test
  void linearSvcSortsAsMllibDoes(@TempDir Path folder) throws IOException {
    String data = "--data=" + few(folder.resolve("digits"));
    Run run = Runs.local(2, new LinearSvc(), "--iterations=2", data);
    Run mllib = Runs.local(2, new LinearSvc(), "--iterations=2", data, "--mllib");
    assertEquals(0, run.exitCode(), run.output());
    String accuracy = "3 classes in .* test accuracy ([0-9.]+)";
    assertEquals(mllib.lastNumber(accuracy), run.lastNumber(accuracy), 0, run.output());
    assertTrue(run.lastNumber(accuracy) > 0.8, run.output());
  }

  private static Path few(Path file) throws IOException {
    Path digits = Path.of("data", "digits-train.libsvm.gz");
    try (InputStream packed = new GZIPInputStream(Files.newInputStream(digits));
        Stream<String> lines =
            new BufferedReader(new InputStreamReader(packed, StandardCharsets.US_ASCII)).lines()) {
      return Files.write(file, lines.filter(line -> line.charAt(0) < '3').toList());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -k 1               | -k 1: at least 2 clusters are needed
          --iterations 0     | --iterations 0: at least 1 is needed
          --test file:/x     | --test without --data
          --data file:/no/x  | file:/no/x
          """)
  void explainsBadInput(String arguments, String problem) {
    Run run = Runs.local(2, new KMeans(), arguments.split(" "));
    assertEquals(2, run.exitCode(), run.output());
    assertTrue(run.output().contains(problem), run.output());
  }
}
