package org.sparkcollectives.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryTest {
  @Test
  void takesTheMiddleOfAnOddNumber() {
    assertEquals(new Summary(5, -2, 3, 90), Summary.of(List.of(90.0, 3.0, -2.0, 4.0, 1.0)));
  }

  @Test
  void takesTheMeanOfTheTwoInTheMiddleOfAnEvenNumber() {
    assertEquals(new Summary(4, 1, 3.5, 10), Summary.of(List.of(10.0, 2.0, 5.0, 1.0)));
  }

  @Test
  void takesASingleSample() {
    assertEquals(new Summary(1, 7, 7, 7), Summary.of(List.of(7.0)));
  }

  @Test
  void refusesNoSamplesAndNaN() {
    assertThrows(IllegalArgumentException.class, () -> Summary.of(List.of()));
    assertThrows(IllegalArgumentException.class, () -> Summary.of(List.of(1.0, Double.NaN, 0.0)));
  }
}
