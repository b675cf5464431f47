package org.sparkcollectives.transport;

import org.jspecify.annotations.Nullable;

/**
 * Says whether a rank must stop waiting. Asked often: at every wake-up and at least every 20 ms.
 */
@FunctionalInterface
public interface Cancellation {

  /** Never cancelled. */
  Cancellation NONE = () -> null;

  /**
   * The reason to stop.
   *
   * @return null to go on, else the exception that the waiting rank is to throw
   */
  @Nullable RuntimeException reason();

  /**
   * Whether a rank whose deadline has passed is to wait as long again, since what it waits for is
   * alive and has not called yet. Asked whenever a deadline passes; may take seconds.
   *
   * @return false, unless implemented otherwise: the deadline holds
   */
  default boolean waitsOn() {
    return false;
  }
}
