package org.sparkcollectives.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TargetTest {
  @Test
  void aFactorIsKeptFromItsBoundUpwards() {
    assertTrue(Target.faster("a", 2.0, 2.0).met());
    assertFalse(Target.faster("a", 1.999, 2.0).met());
    assertEquals("≥ 2.0 x", Target.faster("a", 1, 2.0).bound());
  }

  @Test
  void aSizeIsKeptBelowItsBoundOnly() {
    assertTrue(Target.below("a", 79.9, 80).met());
    assertFalse(Target.below("a", 80, 80).met());
    assertEquals("< 80.0 MiB", Target.below("a", 1, 80).bound());
  }

  @Test
  void aShareIsInPercent() {
    assertTrue(Target.lessShare("a", 0.019, 0.02).met());
    assertFalse(Target.lessShare("a", 0.02, 0.02).met());
    assertEquals("< 2.0 %", Target.lessShare("a", 0, 0.02).bound());
  }

  @Test
  void whatIsBelowItsBoundCanBeTold() {
    assertEquals("1.96 x", Target.faster("a", 1.96, 2).value());
    assertEquals("1.9999 x", Target.faster("a", 1.99994, 2).value());
    assertEquals("2.0 x", Target.faster("a", 2.04, 2).value());
    assertEquals("80.0 MiB", Target.below("a", 80.04, 80).value());
    assertEquals("80.0 MiB", Target.below("a", 80, 80).value());
    assertEquals("79.98 MiB", Target.below("a", 79.98, 80).value());
    assertEquals("NaN x", Target.faster("a", Double.NaN, 2).value());
  }

  @Test
  void whatWasNotMeasuredIsNotKept() {
    assertFalse(Target.faster("a", Double.NaN, 2).met());
    assertFalse(Target.below("a", Double.NaN, 2).met());
  }
}
