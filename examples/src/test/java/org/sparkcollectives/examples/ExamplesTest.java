package org.sparkcollectives.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.Callable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkcollectives.examples.Runs.Run;

@Timeout(120)
class ExamplesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          AllReduceVectors | --elements 1 --vectors 1         | 0 of 1 tasks read a wrong sum
          AllReduceVectors | --elements 1000 --vectors 7      | 0 of 7 tasks read a wrong sum
          PrefixSums       | --count 3 --partitions 1         | 0 of 3 running totals differ
          PrefixSums       | --count 5 --partitions 3         | 0 of 5 running totals differ
          BroadcastModel   | --megabytes 1                    | until 4 of 4 tasks had read the same
          BroadcastModel   | --megabytes 1                    | model of 1 MiB, 131072 weights
          SpmdCommunicator | --rows 1 --ranks 1               | rank 0 of 1: 1.0
          SpmdCommunicator | --rows 2 --ranks 3               | rank 2 of 3: 2.618034
          SpmdCommunicator | --rows 2 --ranks 3               | 3 ranks, 2×2 matrix
          SpmdCommunicator | --rows 9 --ranks 8               | 4 ranks of 8, as many as there are slots,
          """)
  void worksLocally(String name, String arguments, String result) throws Exception {
    Run run = Runs.local(4, example(name), arguments.split(" "));
    assertEquals(0, run.exitCode(), run.output());
    assertTrue(run.output().contains(result), run.output());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          AllReduceVectors | --elements 0     | --elements 0: at least 1 is needed
          AllReduceVectors | --vectors x      | 'x' is not an int
          PrefixSums       | --count -1       | --count -1: at least 1 is needed
          PrefixSums       | --partitions 0   | --partitions 0: at least 1 is needed
          BroadcastModel   | --megabytes 5000 | --megabytes 5000: 1 to 1024 are possible
          SpmdCommunicator | --ranks 0        | --ranks 0: at least 1 is needed
          PrefixSums       | --version        | Unknown option: '--version'
          SpmdCommunicator | --cols 7         | Unknown options: '--cols', '7'
          """)
  void explainsBadArguments(String name, String arguments, String problem) throws Exception {
    Run run = Runs.local(4, example(name), arguments.split(" "));
    assertEquals(2, run.exitCode(), run.output());
    assertTrue(run.output().contains(problem), run.output());
  }

  @SuppressWarnings("unchecked")
  private static Callable<Integer> example(String name) throws ReflectiveOperationException {
    return (Callable<Integer>)
        Class.forName("org.sparkcollectives.examples." + name)
            .asSubclass(Callable.class)
            .getDeclaredConstructor()
            .newInstance();
  }
}
