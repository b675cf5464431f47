package org.sparkcollectives.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.error.ErrorText;

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

  /**
   * The exception of a rank that stops because another one failed.
   *
   * @param original why the other one failed
   * @return the exception
   */
  public static AbortedException afterFailure(Throwable original) {
    return new AbortedException(
        ErrorText.of(
            "this rank stopped",
            "another rank failed: " + ErrorText.reason(original),
            "mend that failure first"),
        original);
  }

  /**
   * The exception of a thread that was interrupted while it waited.
   *
   * @param original the interruption
   * @return the exception
   */
  public static AbortedException interrupted(Throwable original) {
    return new AbortedException(
        ErrorText.of(
            "the wait for a collective was given up",
            "its thread was interrupted",
            "see who cancelled it"),
        original);
  }
}
