package org.sparkcollectives.examples.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkcollectives.examples.Runs;
import org.sparkcollectives.examples.Runs.Run;

@Timeout(300)
class LogisticRegressionTest {

  private static final String LOSS = "loss ([0-9.]+)";
  private static final String ACCURACY = "test accuracy ([0-9.]+)";

  /** What the ways brought that others are held against, by their names: each trains once. */
  private static final Map<String, Run> REFERENCES = new HashMap<>();

  @TempDir Path folder;

  @Test
  void reachesTheOptimumThatMllibFinds() {
    Run run = train("--aggregate", "spmd", "--iterations", "300", "--tolerance", "1e-10");
    assertEquals(0, run.exitCode(), run.output());

    SparkSession session = SparkSession.builder().master("local[2]").getOrCreate();
    try {
      Dataset<Row> training = digits(session, "train");
      LogisticRegressionModel model =
          new org.apache.spark.ml.classification.LogisticRegression()
              .setRegParam(0.01)
              .setMaxIter(300)
              .setTol(1e-10)
              .fit(training);
      double[] losses = model.summary().objectiveHistory();
      double loss = losses[losses.length - 1];
      double accuracy = model.evaluate(digits(session, "test")).accuracy();

      assertEquals(loss, run.lastNumber(LOSS), 1e-5 * loss);
      assertEquals(accuracy, run.lastNumber(ACCURACY), 0.005);
    } finally {
      session.stop();
    }
  }

  @Test
  void trainsByTheEstimatorUnlessToldOtherwise() {
    Run run = train("--iterations", "12");
    assertEquals(0, run.exitCode(), run.output());
    assertTrue(run.output().contains("--aggregate estimator"), run.output());
    assertEquals(13, losses(run).size(), run.output());
    assertTrue(run.lastNumber(ACCURACY) >= 0.9, run.output());
  }

  @ParameterizedTest
  @CsvSource({
    "two-tree, tree, 1e-6",
    "spmd, tree, 1e-6",
    "estimator, mllib, 1e-8",
    "plugin, mllib, 1e-8"
  })
  void losesAsMuchInEveryStep(String way, String reference, double tolerance) {
    Run run = train("--aggregate", way, "--iterations", "6");
    Run expected =
        REFERENCES.computeIfAbsent(
            reference, name -> train("--aggregate", name, "--iterations", "6"));
    assertEquals(0, run.exitCode(), run.output());
    assertEquals(0, expected.exitCode(), expected.output());
    List<Double> losses = losses(run);
    assertEquals(7, losses.size(), run.output());
    assertEquals(7, losses(expected).size(), expected.output());
    for (int i = 0; i < losses.size(); i++) {
      double loss = losses(expected).get(i);
      assertEquals(loss, losses.get(i), tolerance * loss, "loss " + i);
    }
    assertEquals(expected.lastNumber(ACCURACY), run.lastNumber(ACCURACY), run.output());
  }

  @Test
  void sortsTwoClassesWhateverTheirLabels() throws IOException {
    StringBuilder train = new StringBuilder();
    StringBuilder test = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      train.append(i % 2).append(i % 2 == 0 ? " 1:1 3:" : " 2:1 3:").append(i).append('\n');
      test.append(i % 2 == 0 ? "-1 1:1\n" : "+1 2:1\n");
    }
    Path trainFile = Files.writeString(folder.resolve("train"), train);
    Path testFile = Files.writeString(folder.resolve("test"), test);
    Run run =
        train("--aggregate", "tree", "--data", trainFile.toString(), "--test", testFile.toString());
    assertEquals(0, run.exitCode(), run.output());
    assertEquals(1.0, run.lastNumber(ACCURACY), run.output());
    assertTrue(run.output().contains("labels -1, 1 of the test file stand for 0, 1"), run.output());
  }

  @Test
  void holdsOutTheSameSamplesEveryTime() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 43; i++) {
      text.append(i % 3).append(" 1:").append(i % 3).append(" 2:").append(i % 7).append('\n');
    }
    Path file = Files.writeString(folder.resolve("all"), text);
    String[] arguments = {"--aggregate", "tree", "--iterations", "5", "--data", file.toString()};
    Run run = train(arguments);
    assertTrue(
        run.output().contains("33 training samples, 10 test samples, 2 features"), run.output());
    assertEquals(run.lastNumber(LOSS), train(arguments).lastNumber(LOSS));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --iterations 0        | --iterations 0: at least 1
          --l2 -1               | --l2 -1.0: the penalty
          --tolerance 2         | --tolerance 2.0: a number between
          --test x              | --test without --data
          --aggregate ring-o    | 'ring-o'
          --compare --aggregate tree | --compare trains in every way, and --aggregate chooses one
          --data /no/such/file  | There is no file /no/such/file
          """)
  void explainsBadArguments(String arguments, String problem) {
    Run run = train(arguments.split(" "));
    assertEquals(2, run.exitCode(), run.output());
    assertTrue(run.output().contains(problem), run.output());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 1:1;1 2:1;1 3:1;1 4:1 | 0 1:1         | All samples of
          1 1:1;2 2:1;3 3:1       | 1 1:1;4 1:1   | The test file has labels 4
          1 1:1;2 2:1             | ~             | too few to hold out
          1;2;3;4                 | ~             | every line holds a label alone
          1 1:1;2 2:1;1 1:2;3 2:2 | ~             | Every sample with the label 3 is held out
          """)
  void explainsUnsuitableData(String train, String test, String problem) throws IOException {
    Path trainFile = Files.writeString(folder.resolve("train"), train.replace(';', '\n'));
    Path testFile = Files.writeString(folder.resolve("test"), test.replace(';', '\n'));
    Run run =
        test.equals("~")
            ? train("--data", trainFile.toString())
            : train("--data", trainFile.toString(), "--test", testFile.toString());
    assertEquals(2, run.exitCode(), run.output());
    assertTrue(run.output().contains(problem), run.output());
  }

  private static Run train(String... arguments) {
    return Runs.local(2, new LogisticRegression(), arguments);
  }

  private static Dataset<Row> digits(SparkSession session, String part) {
    return session
        .read()
        .format("libsvm")
        .option("numFeatures", "64")
        .load("data/digits-" + part + ".libsvm.gz");
  }

  private static List<Double> losses(Run run) {
    return Pattern.compile(LOSS)
        .matcher(run.output())
        .results()
        .map(loss -> Double.valueOf(loss.group(1)))
        .toList();
  }
}
