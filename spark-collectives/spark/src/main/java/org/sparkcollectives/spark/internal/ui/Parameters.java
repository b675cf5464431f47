package org.sparkcollectives.spark.internal.ui;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Parameters of a page's address. */
final class Parameters {
  private static final int DIGITS = 18;

  private Parameters() {}

  /** A number of 0 or more, or the default where none is given, or no number. */
  static long number(UnaryOperator<@Nullable String> parameters, String name, long otherwise) {
    String given = parameters.apply(name);
    return given == null
            || given.isEmpty()
            || given.length() > DIGITS
            || !given.chars().allMatch(c -> c >= '0' && c <= '9')
        ? otherwise
        : Long.parseLong(given);
  }
}
