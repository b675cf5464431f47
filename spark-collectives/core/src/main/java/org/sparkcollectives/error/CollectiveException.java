package org.sparkcollectives.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A collective operation that could not be done. The message says the problem, its cause and a
 * remedy; {@link #getCause()} is the original exception where there is one.
 */
public class CollectiveException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message problem, cause and remedy
   * @param cause the original exception, or null
   */
  public CollectiveException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
