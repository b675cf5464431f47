package org.sparkcollectives.benchmarks.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.IntSummaryStatistics;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrainingSetTest {
  private static final String ROWS = "-1 3:1 11:0.5 \n1 2:1 7:1\n+1\n";

  @TempDir Path folder = Path.of("unset");

  @Test
  void rowsAreMade() {
    assertEquals(
        new TrainingSet("sparse:50", "", 50, 2, 20_000, 50), TrainingSet.parse("sparse:50"));
    assertEquals(new TrainingSet("dense:7", "", 7, 2, 100_000, 7), TrainingSet.parse("dense:7"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 256, 30_000})
  void everyRowIsMadeWhateverThePartitions(int partitions) {
    TrainingSet set = TrainingSet.parse("sparse:50");
    IntSummaryStatistics shares =
        IntStream.range(0, partitions).map(i -> set.share(i, partitions)).summaryStatistics();
    assertEquals(20_000, shares.getSum());
    assertTrue(shares.getMax() - shares.getMin() <= 1, shares::toString);
  }

  @Test
  void digitsAreThoseOfTheExamplesWhateverTheFolder() {
    TrainingSet digits = TrainingSet.parse("digits");
    assertEquals(64, digits.features());
    assertEquals(10, digits.classes());
    Path file = Path.of(digits.file());
    assertTrue(file.isAbsolute() && Files.isReadable(file), digits::file);
  }

  @Test
  void aFilesFeaturesAreCountedOrGiven() throws IOException {
    Path plain = Files.writeString(folder.resolve("rows.txt"), ROWS);
    Path packed = folder.resolve("rows.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      out.write(ROWS.getBytes(StandardCharsets.UTF_8));
    }
    for (Path file : new Path[] {plain, packed}) {
      assertEquals(
          new TrainingSet("adults", file.toString(), 11, 2, 0, 0),
          TrainingSet.parse("adults=" + file));
      assertEquals(
          new TrainingSet(file.getFileName().toString(), file.toString(), 123, 2, 0, 0),
          TrainingSet.parse(file + "=123"));
    }
  }

  @Test
  void aFilesClassesAreCounted() throws IOException {
    assertEquals(2, classes("0 1:1\n1 1:2\n"));
    assertEquals(2, classes("# labels\n\n1 1:1\n1 1:2\n"));
    assertEquals(6, classes("5 1:1\n2.0 1:2\n"));
    assertEquals(0, classes("0 1:1\n1.5 1:2\n3 1:2\n"));
    assertEquals(0, classes("-2 1:1\n1 1:2\n"));
  }

  private int classes(String rows) throws IOException {
    return TrainingSet.parse("some=" + Files.writeString(folder.resolve("some.txt"), rows))
        .classes();
  }

  @Test
  void modelsOfTwoClassesLearnNoOtherNumber() {
    TrainingSet digits = TrainingSet.parse("digits");
    TrainingSet two = TrainingSet.parse("dense:7");
    for (Model model : new Model[] {Model.LINEAR_SVC, Model.FACTORIZATION_MACHINE}) {
      assertTrue(model.learns(two), model::name);
      assertFalse(model.learns(digits), model::name);
    }
    assertTrue(Model.PERCEPTRON.learns(digits));
    assertEquals(10 * 65, Model.LOGISTIC_REGRESSION.numbers(digits));
    assertEquals(7, Model.LOGISTIC_REGRESSION.numbers(two));
  }

  @Test
  void whatIsNoProblemIsNamed() throws IOException {
    Path prose = Files.writeString(folder.resolve("prose.txt"), "Rows: none\n");
    refused("gossip", "'gossip' is no problem");
    refused("sparse:many", "ends in no number of features");
    refused("sparse:0", "'sparse:0' has no features to learn from");
    refused("dense:-7", "'dense:-7' has no features to learn from");
    refused("a9a=" + folder.resolve("gone.gz"), "gone.gz that can be read");
    refused(folder.resolve("gone.gz") + "=123", "gone.gz that can be read");
    refused(Files.writeString(folder.resolve("a.txt"), ROWS) + "=0", "has no features to learn");
    refused(
        Files.writeString(folder.resolve("few.txt"), ROWS) + "=10",
        "few.txt=10' has too few features: a row of the file has one with the index 11.");
    refused("a9a=" + prose, "prose.txt is no text in LIBSVM's format");
    refused("a9a=" + Files.writeString(folder.resolve("x.gz"), ROWS), "x.gz is no text");
  }

  private static void refused(String text, String because) {
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> TrainingSet.parse(text))
                .getMessage());
    assertTrue(message.contains(because), message);
  }
}
