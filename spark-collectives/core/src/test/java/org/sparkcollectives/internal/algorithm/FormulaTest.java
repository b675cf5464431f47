package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

final class FormulaTest {
  /** p = 12, b = 5, in order to an inner root. */
  private static final Problem TWELVE = new Problem(Collective.REDUCE, 12, 3, 5, true);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "p - 2 + b | 15",
        "p - (2 + b) | 5",
        "2b/p | 0.8333333",
        "p/2b | 1.2",
        "p/2*b | 30",
        "b (p - 2) | 50",
        "2^3p | 96",
        "2 ceil(log2(p+1)) + 2 ceil(b/2) | 14",
        "b floor(log2 p) | 15",
        "log2 q * b | 15",
        "min(p, b) max(p, b) | 60",
        "1.5q | 12",
        "b^0.5 | 2.2360679",
        "q/t | 2",
        "c | 2",
        "h + g + l | 14",
        "ceil(log2(p - 4)) | 3",
        "floor(3/0.1) | 30",
      })
  void isCalculatedAsItReads(String text, double value) {
    assertEquals(value, Formula.of(text).evaluate(TWELVE), 1e-6);
    assertEquals(text, Formula.of(text).toString());
  }

  @Test
  void theFirstExceptionThatHoldsCounts() {
    Formula formula =
        Formula.of("1; p odd: 2; in order and inner root: <= 3; in order: 4; p >= 1.5q: 5");
    assertEquals(5, formula.cases());
    assertEquals(3, formula.evaluate(TWELVE));
    assertEquals(2, formula.caseNumber(TWELVE));
    assertTrue(formula.isBound(TWELVE));
    assertEquals(4, formula.evaluate(new Problem(Collective.REDUCE, 12, 11, 5, true)));
    assertEquals(5, formula.evaluate(new Problem(Collective.REDUCE, 12, 3, 5, false)));
    assertEquals(2, formula.evaluate(new Problem(Collective.REDUCE, 13, 3, 5, true)));
    Problem ten = new Problem(Collective.REDUCE, 10, 3, 5, false);
    assertEquals(1, formula.evaluate(ten));
    assertEquals(0, formula.caseNumber(ten));
    assertFalse(formula.isBound(ten));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "p not a power of two | 1",
        "p odd | 0",
        "in any order | 0",
        "b = 10/2 | 1",
        "b < 5 | 0",
        "b <= 5 | 1",
        "b > 4.9 and p > 12 | 0",
        "log2 q = 3 | 1",
      })
  void conditionsAreTests(String condition, double value) {
    assertEquals(value, Formula.of("0; " + condition + ": 1").evaluate(TWELVE));
  }

  @Test
  void hostsAreThoseOfTheProblem() {
    Problem problem =
        new Problem(Collective.SCAN, 6, 0, 1, true)
            .on(Topology.ofHosts(List.of("a", "a", "a", "b", "b", "c")));
    assertEquals(332, Formula.of("100h + 10g + l").evaluate(problem));
    assertEquals(161, Formula.of("100h + 10g + l").evaluate(problem.on(onOneHost())));
    assertEquals(611, Formula.of("100h + 10g + l").evaluate(problem.on(Topology.FLAT)));
  }

  private static Topology onOneHost() {
    return Topology.ofHosts(List.of("a", "a", "a", "a", "a", "a"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "about p",
        "p -",
        "(p",
        "p)",
        "ceil p",
        "min(p)",
        "x",
        "p; in ordr: b",
        "p; b: 1",
        "p; b < : 1",
        "p; in order: ",
        "p, with b = p^2",
      })
  void whatIsNoFormulaIsRefused(String text) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Formula.of(text).cases());
    assertTrue(e.getMessage().contains("the formula '" + text + "'"), e.getMessage());
  }
}
