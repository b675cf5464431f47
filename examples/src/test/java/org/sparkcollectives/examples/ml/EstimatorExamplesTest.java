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
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
