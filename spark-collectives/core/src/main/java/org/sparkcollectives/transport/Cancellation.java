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
}
