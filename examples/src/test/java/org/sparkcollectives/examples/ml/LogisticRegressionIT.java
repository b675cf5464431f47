package org.sparkcollectives.examples.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.TreeMap;
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

  /** A line of the table: the way, seconds, iterations, milliseconds each, accuracy. */
  private static final Pattern ROW =
      Pattern.compile("(?m)^([a-z-]+) +[0-9.]+ +([0-9]+) +[0-9.]+ ([0-9.]+)$");

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
  void allWaysComeToTheSame() {
    Run run = submissions.submit(MAIN, "--compare", "--iterations", "5");
    assertEquals(0, run.exitCode(), run.output());
    Map<String, Double> accuracies = new TreeMap<>();
    ROW.matcher(run.output())
        .results()
        .forEach(
            row -> {
              assertEquals("5", row.group(2), run.output());
              accuracies.put(row.group(1), Double.valueOf(row.group(3)));
            });
    assertEquals(Aggregation.values().length, accuracies.size(), run.output());
    assertEquals(accuracies.get("mllib"), accuracies.get("estimator"), run.output());
    assertEquals(accuracies.get("mllib"), accuracies.get("plugin"), run.output());
    assertEquals(accuracies.get("tree"), accuracies.get("two-tree"), run.output());
    assertEquals(accuracies.get("tree"), accuracies.get("spmd"), run.output());
    accuracies.forEach((way, accuracy) -> assertTrue(accuracy >= 0.8, run.output()));
  }

  /** The application's exit code is spark-submit's. */
  @Test
  void badInputEndsWithTwo() {
    Run run = submissions.submit(MAIN, "--iterations", "0");
    assertEquals(2, run.exitCode(), run.output());
    assertTrue(run.output().contains("--iterations 0: at least 1"), run.output());
  }
}
