package org.sparkcollectives.error;

import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The factory of all messages that a user can see. Each says the problem, its cause and a remedy,
 * in this order.
 */
public final class Errors {
  private Errors() {}

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
    return invalid(
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
   * @param operator the operator's name
   * @param ordered the algorithms that keep rank order
   * @return the exception
   */
  public static InvalidInputException reordersOperands(
      String collective, String slug, String operator, Collection<String> ordered) {
    return invalid(
        collective + " by '" + slug + "' cannot use the operator '" + operator + "'",
        "the operator is not declared commutative and '" + slug + "' combines out of rank order",
        "use "
            + ordered.stream().map(s -> "'" + s + "'").collect(Collectors.joining(" or "))
            + ", or declare the operator commutative if it is");
  }

  /**
   * A root that is no rank.
   *
   * @param collective the collective asked for
   * @param root the root given
   * @param size the number of ranks
   * @return the exception
   */
  public static InvalidInputException rootOutOfRange(String collective, int root, int size) {
    return invalid(
        "root " + root + " of a " + collective + " is out of range",
        "the ranks are 0 to " + (size - 1),
        "give one of these as the root");
  }

  /**
   * A null where a vector or an object is needed.
   *
   * @param where what the null stands for, such as "the vector of rank 3"
   * @return the exception
   */
  public static InvalidInputException nullValue(String where) {
    return invalid(
        where + " is null",
        "a collective combines or ships values, and null has none",
        "filter nulls out, or put a neutral value (such as zeros) in their place");
  }

  /**
   * A value whose type the operator does not work on.
   *
   * @param operator the operator's name
   * @param accepts what it accepts
   * @param type the type that it met
   * @return the exception
   */
  public static InvalidInputException operatorType(String operator, String accepts, String type) {
    return invalid(
        "the operator '" + operator + "' cannot combine " + type,
        "it works on " + accepts,
        "use an operator for that type (ReduceOp.ofObjects takes any), or convert the vectors");
  }

  /**
   * Puts the three parts of a message together.
   *
   * @param problem what went wrong
   * @param cause why
   * @param remedy what to do
   * @return one line
   */
  public static String message(String problem, String cause, String remedy) {
    return problem + ": " + cause + ". " + Character.toUpperCase(remedy.charAt(0)) + remedy.substring(1) + ".";
  }

  private static InvalidInputException invalid(String problem, String cause, String remedy) {
    return invalid(problem, cause, remedy, null);
  }

  private static InvalidInputException invalid(
      String problem, String cause, String remedy, @Nullable Throwable original) {
    return new InvalidInputException(message(problem, cause, remedy), original);
  }
}
