package org.sparkcollectives.spark.internal.input;

import org.apache.spark.api.java.function.Function2;

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
