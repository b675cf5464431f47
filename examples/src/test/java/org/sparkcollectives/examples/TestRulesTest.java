package org.sparkcollectives.examples;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.Extension;
import org.sparkcollectives.testing.NoSkippedTests;

/** What is true of all tests is true of those of the examples. */
class TestRulesTest {

  @Test
  void noneIsSwitchedOffAndNoneHangs() {
    assertNotNull(getClass().getResource("/junit-platform.properties"));
  }

  @Test
  void noneSkipsItself() {
    assertTrue(
        ServiceLoader.load(Extension.class).stream()
            .anyMatch(provider -> provider.type() == NoSkippedTests.class));
  }
}
