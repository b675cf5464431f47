package org.sparkcollectives.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkcollectives.examples.Runs.Run;

/** The packed examples on executors with four slots together. */
@Timeout(600)
class ExamplesIT {

  private static Submissions submissions;

  @BeforeAll
  static void start() {
    submissions = new Submissions();
  }

  @AfterAll
  static void stop() {
    submissions.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          AllReduceVectors | --elements 100000 | 0 of 4 tasks read a wrong sum
          PrefixSums       | --count 100001    | 0 of 100001 running totals differ
          BroadcastModel   | --megabytes 16    | until 4 of 4 tasks had read the same model
          SpmdCommunicator | --rows 500        | rank 3 of 4: 101524.010664
          """)
  void runsAndChecksItself(String name, String arguments, String result) {
    Run run = submissions.submit("org.sparkcollectives.examples." + name, arguments.split(" "));
    assertEquals(0, run.exitCode(), run.output());
    assertTrue(run.output().contains(result), run.output());
  }
}
