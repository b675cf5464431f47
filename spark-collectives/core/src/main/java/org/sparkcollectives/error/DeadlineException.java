package org.sparkcollectives.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A rank waited until its deadline for something that did not come. */
public final class DeadlineException extends CollectiveException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message problem, cause and remedy
   * @param cause the original exception, or null
   */
  public DeadlineException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
