package org.sparkcollectives.benchmarks.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.benchmarks.chaos.Outcome.End;

class OutcomesTest {

  /** What has come until then is told, and that the fault is not as promised. */
  @Test
  void aRunEndsWithAFaultOfWhichNobodyKnows() {
    List<Fault> faults = Fault.of(3, 5, List.of(Kind.RESET), 3);
    List<String> told = new ArrayList<>();
    List<Outcome> outcomes =
        Outcomes.of(
            faults,
            fault -> {
              if (!fault.equals(faults.get(0))) {
                throw new IOException("rank 1 does not answer");
              }
              return new Outcome(fault, End.RIGHT, 100, "", List.of());
            },
            told::add);
    assertEquals(List.of(End.RIGHT, End.UNKNOWN), outcomes.stream().map(Outcome::end).toList());
    assertEquals(2, told.size());
    assertEquals(1, Outcomes.complaints(outcomes).size());
    assertTrue(Outcomes.complaints(outcomes).get(0).contains("rank 1 does not answer"));
    List<List<String>> table = Outcomes.table(List.of(Kind.RESET.text()), List.of(), outcomes);
    assertEquals(List.of("2", "100 ms", "100 ms", "1"), table.get(1).subList(1, 5));
  }

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
