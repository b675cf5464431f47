package org.sparkcollectives.transport;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Checks of what exceptions say. */
public final class Failures {
  private Failures() {}

  /**
   * Checks that a message holds a text.
   *
   * @param failure whose message
   * @param text what it must hold
   */
  public static void assertSays(Throwable failure, String text) {
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains(text), message);
  }
}
