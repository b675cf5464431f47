package org.sparkcollectives.internal.error;

import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An exception, its cause, the cause of that and so on; exceptions may be causes in a circle. And
 * what came besides.
 */
public final class CauseChain {
  /** How many exceptions are looked at. */
  private static final int LOOKED_AT = 100;

  private CauseChain() {}

  /**
   * The first exception of a kind, from the outermost on.
   *
   * @param thrown the outermost exception
   * @param wanted whether an exception is of the kind
   * @return the first that is; empty if none of the first hundred is
   */
  public static Optional<Throwable> find(Throwable thrown, Predicate<Throwable> wanted) {
    @Nullable Throwable next = thrown;
    for (int i = 0; next != null && i < LOOKED_AT; i++) {
      if (wanted.test(next)) {
        return Optional.of(next);
      }
      next = next.getCause();
    }
    return Optional.empty();
  }

  /**
   * Keeps a second exception with a first one, unless it is the same.
   *
   * @param first the exception that is thrown
   * @param second what came of it, or besides
   */
  @SuppressWarnings("ReferenceEquality") // an exception cannot suppress itself
  public static void suppress(Throwable first, Throwable second) {
    if (second != first) {
      first.addSuppressed(second);
    }
  }
}
