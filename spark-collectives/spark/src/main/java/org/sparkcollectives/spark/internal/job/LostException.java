package org.sparkcollectives.spark.internal.job;

import java.io.Serial;
import java.util.Arrays;
import java.util.stream.Stream;
import org.sparkcollectives.internal.error.CauseChain;

/**
 * Suppressed by what a caller is told whose job has lost executors, connections or outputs of
 * shuffles at each attempt, whoever has told of the last loss: nobody's code is the reason.
 */
public final class LostException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  /** What helps where {@link #lackedMemory}. */
  public static final String MORE_MEMORY =
      "an executor had no memory left: raise spark.executor.memory or"
          + " spark.executor.memoryOverhead, or add executors";

  private final boolean outOfMemory;

  /**
   * Nobody's code is the reason.
   *
   * @param outOfMemory whether an executor was lost as it had no memory left
   */
  LostException(boolean outOfMemory) {
    super("each attempt has lost something that another one may have", null, false, false);
    this.outOfMemory = outOfMemory;
  }

  /**
   * Whether what a caller was told has come of losses alone.
   *
   * @param thrown what was thrown
   * @return true if it or an exception behind it says so
   */
  public static boolean isBehind(Throwable thrown) {
    return CauseChain.find(thrown, each -> losses(each).findAny().isPresent()).isPresent();
  }

  /**
   * Whether executors were lost, or one of them, as they had no memory left.
   *
   * @param thrown what was thrown
   * @return true if it or an exception behind it says so
   */
  public static boolean lackedMemory(Throwable thrown) {
    return CauseChain.find(thrown, each -> losses(each).anyMatch(loss -> loss.outOfMemory))
        .isPresent();
  }

  private static Stream<LostException> losses(Throwable thrown) {
    return Arrays.stream(thrown.getSuppressed())
        .filter(LostException.class::isInstance)
        .map(LostException.class::cast);
  }
}
