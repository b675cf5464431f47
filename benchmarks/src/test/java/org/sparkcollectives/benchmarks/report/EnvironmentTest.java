package org.sparkcollectives.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class EnvironmentTest {
  @Test
  void describesThisProcess() {
    Environment here = Environment.here("", "command", "");
    assertEquals(Environment.defaultLabel(), here.machine());
    assertTrue(here.machine().matches("[a-z0-9-]+-\\d+core"), here.machine());
    assertEquals(Runtime.getRuntime().availableProcessors(), here.cores());
    assertTrue(here.jvm().contains(System.getProperty("java.runtime.version")), here.jvm());
    assertFalse(here.processor().isEmpty());
    assertEquals("label", Environment.here("label", "command", "").machine());
  }
}
