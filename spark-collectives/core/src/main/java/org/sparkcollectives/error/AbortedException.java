package org.sparkcollectives.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A rank stopped because another rank failed or the job was cancelled. */
public final class AbortedException extends CollectiveException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message problem, cause and remedy
   * @param cause the original exception, or null
   */
  public AbortedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
