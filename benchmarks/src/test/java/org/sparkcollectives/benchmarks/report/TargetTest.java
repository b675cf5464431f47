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
  void whatWasNotMeasuredIsNotKept() {
    assertFalse(Target.faster("a", Double.NaN, 2).met());
    assertFalse(Target.below("a", Double.NaN, 2).met());
  }
}
