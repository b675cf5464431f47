package org.sparkcollectives.examples.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkcollectives.examples.Runs;
import org.sparkcollectives.examples.Runs.Run;

@Timeout(120)
class TextClassificationTest {

  @TempDir Path folder;

  /** Of the four messages of spam that are held out, one reads like ham. */
  @Test
  void measuresHowWellTheRarerClassIsFound() throws IOException {
    StringBuilder lines = new StringBuilder("\ufeff");
    for (int i = 0; i < 80; i++) {
      boolean spam = i % 5 == 0;
      lines.append(spam ? "spam\t" : "ham\t");
      lines.append(spam && i != 15 ? "You WIN\ta prize " : "see you\tat eight ").append(i);
      lines.append("\n\n");
    }
    Path file = folder.resolve("messages.tsv.gz");
    try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(lines.toString().getBytes(StandardCharsets.UTF_8));
    }
    String[] arguments = {"--data=" + file, "--features=999", "--iterations=3"};
    String[] mllib = {"--data=" + file, "--features=999", "--iterations=3", "--mllib"};
    for (Run run : List.of(classify(arguments), classify(mllib))) {
      assertEquals(0, run.exitCode(), run.output());
      String read = "60 training texts, 20 test texts, classes ham, spam, 2 partitions";
      assertTrue(run.output().contains(read), run.output());
      assertEquals(0.95, run.lastNumber("test accuracy ([0-9.]+)"), run.output());
      assertEquals(1, run.lastNumber("; of spam precision ([0-9.]+)"), run.output());
      assertEquals(0.75, run.lastNumber("recall ([0-9.]+)"), run.output());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a_x;b y                 | texts, line 2, is not labelled text: it has no tab.
          a_x;;_y                 | texts, line 3, is not labelled text: there is no label
          ;;                      | texts holds no sample
          a_x;a_y;a_z;a_z         | have the label a: there is nothing to tell apart
          a_x;b_y;c_z;a_x;b_y;c_z | more than two labels, a, b, c among them
          a_x;a_y;a_z;b_x         | with the label b is trained on
          a_x;b_y;a_z;b_x         | with the label a is held out for the test
          """)
  void explainsUnsuitableText(String text, String problem) throws IOException {
    Path file = folder.resolve("texts");
    Files.writeString(file, text.replace('_', '\t').replace(';', '\n'));
    Run run = classify("--data=" + file);
    assertEquals(2, run.exitCode(), run.output());
    assertTrue(run.output().contains(problem), run.output());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --mllib                           | Missing required option: '--data=PATH'
          --data=/no/such --features=0      | --features 0: at least 1 is needed
          --data=/no/such --iterations=0    | --iterations 0: at least 1 is needed
          --data=/no/such --l2=-1           | --l2 -1.0: the penalty
          --data=/no/such                   | There is no file /no/such
          """)
  void explainsBadArguments(String arguments, String problem) {
    Run run = classify(arguments.split(" "));
    assertEquals(2, run.exitCode(), run.output());
    assertTrue(run.output().contains(problem), run.output());
  }

  private static Run classify(String... arguments) {
    return Runs.local(2, new TextClassification(), arguments);
  }
}
