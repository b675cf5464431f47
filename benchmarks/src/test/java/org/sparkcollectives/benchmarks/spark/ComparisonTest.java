package org.sparkcollectives.benchmarks.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  @Test
  void vectorsThatNoContenderTakesHaveNoRounds() {
    Contender none =
        new Contender() {
          @Override
          public String name() {
            return "sc.broadcast";
          }

          @Override
          public boolean takes(Vectors vectors, int executors) {
            return false;
          }

          @Override
          public Run run(Vectors vectors) {
            throw new AssertionError("it takes no vectors");
          }
        };
    List<String> lines = new ArrayList<>();
    Comparison comparison = new Comparison(4, List.of(none), lines::add);
    comparison.measure(new Vectors(null, 1, 16, false), 1, 1);
    assertEquals(
        List.of("8 B vectors in 16 partitions are left out: none of sc.broadcast takes them"),
        lines);
    assertEquals(List.of(), comparison.measurements());
  }
}
