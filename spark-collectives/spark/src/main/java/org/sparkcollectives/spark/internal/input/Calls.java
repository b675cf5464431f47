package org.sparkcollectives.spark.internal.input;

import java.nio.channels.ClosedByInterruptException;
import org.apache.spark.api.java.function.Function2;
import org.jspecify.annotations.Nullable;

/** Calls of user code that may throw checked exceptions, which pass through unchanged. */
public final class Calls {
  private Calls() {}

  static <A, B, R> R checked(Function2<A, B, R> function, A first, B second) {
    try {
      return function.call(first, second);
    } catch (Exception e) {
      throw sneaky(e);
    }
  }

  /**
   * Whether a thread threw it that was interrupted while it waited or wrote to a disk.
   *
   * @param thrown what was thrown, null for nothing
   * @return true if the call is to end as interrupted
   */
  public static boolean isInterruption(@Nullable Throwable thrown) {
    return thrown instanceof InterruptedException || thrown instanceof ClosedByInterruptException;
  }

  /**
   * Throws any exception as it is.
   *
   * @param thrown the exception
   * @param <E> unchecked, for the compiler
   * @return never; declared so that callers can write that they throw it
   * @throws E the exception
   */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public static <E extends Throwable> RuntimeException sneaky(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
