package org.sparkcollectives.benchmarks.report;

import java.util.List;
import java.util.Map;

/** Reports to test with. */
final class Reports {
  private Reports() {}

  /** Two measurements of three rounds and a target. */
  static Report example() {
    return new Report(
        "example",
        new Environment(
            "linux-2core",
            "2026-11-21T01:02:03Z",
            "abc",
            "benchmarks/run example",
            "Linux 6",
            "A processor",
            2,
            1024,
            0.5,
            "A JVM",
            "4.1.0"),
        Map.of("seed", "1"),
        Map.of(Measurement.END_TO_END, "from here to there"),
        List.of(
            new Measurement("mine", 4, 4, 8 << 20, "part", List.of(500.0, 600.0, 700.0)),
            new Measurement(
                "mine", 4, 4, 8 << 20, Measurement.END_TO_END, List.of(4000.0, 1000.0, 2000.0))),
        List.of(
            new Volume("theirs", "theirs", 4, 8 << 20, List.of(60L << 20), List.of(40L << 20)),
            new Volume(
                "mine",
                "theirs",
                4,
                8 << 20,
                List.of(1L, 1L << 20, 3L << 20),
                List.of(0L, 0L, 9L))),
        Map.of("result", "right"),
        List.of(Target.faster("mine", 3, 2)));
  }
}
