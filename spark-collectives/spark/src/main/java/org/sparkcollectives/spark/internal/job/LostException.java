package org.sparkcollectives.spark.internal.job;

import java.io.Serial;
import java.util.Arrays;
import org.sparkcollectives.internal.error.CauseChain;

/**
 * Suppressed by what a caller is told whose job has lost executors, connections or outputs of
 * shuffles at each attempt, whoever has told of the last loss: nobody's code is the reason.
 */
public final class LostException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  LostException() {
    super("each attempt has lost something that another one may have", null, false, false);
  }

  /**
   * Whether what a caller was told has come of losses alone.
   *
   * @param thrown what was thrown
   * @return true if it or an exception behind it says so
   */
  public static boolean isBehind(Throwable thrown) {
    return CauseChain.find(thrown, LostException::suppressedBy).isPresent();
  }

  private static boolean suppressedBy(Throwable thrown) {
    return Arrays.stream(thrown.getSuppressed()).anyMatch(LostException.class::isInstance);
  }
}
