package org.sparkcollectives.spark;

import org.apache.spark.api.java.function.Function2;

/** Calls of user code that may throw checked exceptions, which pass through unchanged. */
final class Calls {
  private Calls() {}

  static <A, B, R> R checked(Function2<A, B, R> function, A first, B second) {
    try {
      return function.call(first, second);
    } catch (Exception e) {
      throw sneaky(e);
    }
  }

  /** Throws any exception as it is. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <E extends Throwable> RuntimeException sneaky(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
