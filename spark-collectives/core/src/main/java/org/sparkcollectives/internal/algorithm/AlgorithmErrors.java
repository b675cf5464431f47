package org.sparkcollectives.internal.algorithm;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.error.ErrorText;

/**
 * The messages about algorithms that are asked for by name, in the form of {@link ErrorText#of}.
 */
public final class AlgorithmErrors {
  private AlgorithmErrors() {}

  /**
   * An algorithm's name that the registry does not hold.
   *
   * @param collective the collective asked for
   * @param slug the unknown name
   * @param known the names that exist
   * @return the exception
   */
  public static InvalidInputException unknownAlgorithm(
      String collective, String slug, Collection<String> known) {
    return InvalidInputException.of(
        "unknown algorithm '" + slug + "' for " + collective,
        known.isEmpty()
            ? "no algorithm for " + collective + " is registered"
            : "the algorithms for " + collective + " are " + String.join(", ", known),
        "name one of them, or leave the choice to the library");
  }

  /**
   * An algorithm that reorders operands, asked for with an operator that must not be reordered.
   *
   * @param collective the collective asked for
   * @param slug the algorithm's name
   * @param operator the operator's name, or null where only an order is asked for
   * @param ordered the algorithms that keep rank order
   * @return the exception
   */
  static InvalidInputException reordersOperands(
      String collective, String slug, @Nullable String operator, Collection<String> ordered) {
    if (operator == null) {
      return InvalidInputException.of(
          collective + " by '" + slug + "' has no schedule that keeps rank order",
          "'" + slug + "' combines operands as they come around",
          "use '" + String.join("' or '", ordered) + "', or ask for any order if any will do");
    }
    return InvalidInputException.of(
        collective + " by '" + slug + "' cannot use the operator '" + operator + "'",
        "the operator is not declared commutative and '" + slug + "' combines out of rank order",
        "use '"
            + String.join("' or '", ordered)
            + "', or declare the operator commutative if it is");
  }
}
