package org.sparkcollectives.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A rank failed on its own: its user code threw, its operator threw, or its peer broke off. */
public final class RankFailedException extends CollectiveException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message problem, cause and remedy
   * @param cause the original exception, or null
   */
  public RankFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
