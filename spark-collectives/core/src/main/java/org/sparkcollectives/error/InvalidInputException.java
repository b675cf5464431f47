package org.sparkcollectives.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Input or a setting that no collective can work with; found before anything is sent. */
public final class InvalidInputException extends CollectiveException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message problem, cause and remedy
   * @param cause the original exception, or null
   */
  public InvalidInputException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
