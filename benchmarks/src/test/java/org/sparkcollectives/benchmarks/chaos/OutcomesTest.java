package org.sparkcollectives.benchmarks.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.benchmarks.chaos.Outcome.End;

class OutcomesTest {

  @Test
  void kindsAndEndsAreCountedAndMissedFaultsHaveNoRecovery() {
    List<Fault> faults = Fault.of(3, 5, List.of(Kind.RESET), 3);
    List<Outcome> outcomes =
        List.of(
            new Outcome(faults.get(0), End.RIGHT, 100, "", List.of()),
            new Outcome(faults.get(1), End.FAILED, 300, "broken", List.of("late", "wrong")),
            new Outcome(faults.get(2), End.MISSED, 0, "", List.of()));
    List<String> kinds = Arrays.stream(Kind.values()).map(Kind::text).toList();
    List<List<String>> table =
        Outcomes.table(kinds, List.of(End.RIGHT, End.FAILED, End.MISSED), outcomes);
    List<String> counts = List.of("3", "1", "1", "1", "200 ms", "300 ms", "1");
    assertEquals(3, table.size());
    assertEquals(Kind.RESET.text(), table.get(1).get(0));
    assertEquals(counts, table.get(1).subList(1, 8));
    assertEquals("all", table.get(2).get(0));
    assertEquals(counts, table.get(2).subList(1, 8));
    assertEquals(4, Outcomes.lines(outcomes).size());
    assertEquals("late; wrong", Outcomes.lines(outcomes).get(2).get(8));
    assertEquals(
        List.of(faults.get(1) + ": late", faults.get(1) + ": wrong"),
        Outcomes.complaints(outcomes));
  }
}
