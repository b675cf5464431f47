package org.sparkcollectives.benchmarks.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingSetTest {
  private static final String ROWS = "-1 3:1 11:0.5 \n1 2:1 7:1\n+1\n";

  @TempDir Path folder = Path.of("unset");

  @Test
  void rowsAreMade() {
    assertEquals(new TrainingSet("sparse:50", "", 50, 20_000, 50), TrainingSet.parse("sparse:50"));
    assertEquals(new TrainingSet("dense:7", "", 7, 100_000, 7), TrainingSet.parse("dense:7"));
    assertEquals(64, TrainingSet.parse("digits").features());
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
          new TrainingSet("adults", file.toString(), 11, 0, 0),
          TrainingSet.parse("adults=" + file));
      assertEquals(
          new TrainingSet(file.getFileName().toString(), file.toString(), 123, 0, 0),
          TrainingSet.parse(file + "=123"));
    }
  }

  @Test
  void whatIsNoProblemIsNamed() throws IOException {
    Path prose = Files.writeString(folder.resolve("prose.txt"), "Rows: none\n");
    refused("gossip", "'gossip' is no problem");
    refused("sparse:many", "ends in no number of features");
    refused("a9a=" + folder.resolve("gone.gz"), "gone.gz that can be read");
    refused(folder.resolve("gone.gz") + "=123", "gone.gz that can be read");
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
