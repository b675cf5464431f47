package org.sparkcollectives.examples.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.examples.Runs.Run;
import org.sparkcollectives.examples.Submissions;

@Timeout(600)
class LogisticRegressionIT {

  private static final String MAIN = LogisticRegression.class.getName();
  private static final String ACCURACY = "test accuracy ([0-9.]+)";
  private static final Pattern LOSSES = Pattern.compile("iteration +\\d+  loss ([0-9.]+)");
  private static final Pattern ITERATION =
      Pattern.compile(
          "iteration +\\d+  loss ([0-9.]+)  gradient norm [0-9.e+-]+  "
              + "compute [0-9.]+ ms  communication [0-9.]+ ms");

  private static Submissions submissions;

  @BeforeAll
  static void start() {
    submissions = new Submissions();
  }

  @AfterAll
  static void stop() {
    submissions.close();
  }

  @Test
  void bothAggregationsGiveTheSameLossesAndAccuracy() {
    Run twoTree = submissions.submit(MAIN, "--iterations", "12", "--aggregate", "two-tree");
    Run tree = submissions.submit(MAIN, "--iterations", "12", "--aggregate", "tree");
    assertEquals(0, twoTree.exitCode(), twoTree.output());
    assertEquals(0, tree.exitCode(), tree.output());

    List<Double> losses = losses(twoTree);
    List<Double> expected = losses(tree);
    assertEquals(13, losses.size(), twoTree.output());
    assertEquals(expected.size(), losses.size());
    for (int i = 0; i < losses.size(); i++) {
      assertEquals(expected.get(i), losses.get(i), 1e-6 * expected.get(i), "loss " + i);
    }
    assertEquals(tree.lastNumber(ACCURACY), twoTree.lastNumber(ACCURACY));
    assertTrue(twoTree.lastNumber(ACCURACY) >= 0.9, twoTree.output());
  }

  @Test
  void theEstimatorsGiveTheSameLossesAndAccuracy() {
    Run collective = submissions.submit(MAIN, "--iterations", "20");
    Run mllib = submissions.submit(MAIN, "--iterations", "20", "--aggregate", "mllib");
    assertEquals(0, collective.exitCode(), collective.output());
    assertEquals(0, mllib.exitCode(), mllib.output());
    assertEquals(21, LOSSES.matcher(collective.output()).results().count(), collective.output());
    double loss = mllib.lastNumber(LOSSES.pattern());
    assertEquals(loss, collective.lastNumber(LOSSES.pattern()), 1e-8 * loss);
    assertEquals(mllib.lastNumber(ACCURACY), collective.lastNumber(ACCURACY));
    assertTrue(collective.lastNumber(ACCURACY) >= 0.9, collective.output());
  }

  @Test
  void explainsAMissingFile() {
    Run run = submissions.submit(MAIN, "--data", "file:/no/such/file");
    assertEquals(2, run.exitCode(), run.output());
    assertTrue(run.output().contains("There is no file file:/no/such/file"), run.output());
  }

  private static List<Double> losses(Run run) {
    return ITERATION
        .matcher(run.output())
        .results()
        .map(line -> Double.valueOf(line.group(1)))
        .toList();
  }
}
