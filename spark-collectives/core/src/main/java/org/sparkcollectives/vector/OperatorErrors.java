package org.sparkcollectives.vector;

import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;

/** The errors of operators and their operands. */
final class OperatorErrors {
  private OperatorErrors() {}

  /** A value whose type the operator does not work on. */
  static InvalidInputException type(ReduceOp<?> op, String type) {
    return InvalidInputException.of(
        "the operator '" + op.name() + "' cannot combine " + type,
        "it works on " + op.accepts(),
        "use an operator for that type (ReduceOp.ofObjects takes any), or convert the vectors");
  }

  /** A vector that an operator on tuples cannot take apart. */
  static InvalidInputException notWholeTuples(ReduceOp<?> op, int length) {
    int width = op.width();
    return InvalidInputException.of(
        "the operator '" + op.name() + "' cannot combine a vector of " + length + " elements",
        "it works on tuples of " + width + " elements, and " + length + " is no multiple of that",
        "give vectors of whole tuples");
  }

  /** An operator on tuples of no elements, or of more than can be received at once. */
  static InvalidInputException width(String operator, int width, int most) {
    return InvalidInputException.of(
        "the operator '" + operator + "' cannot work on tuples of " + width + " elements",
        "a tuple has 1 to " + most,
        "give a width in that range");
  }

  /** Refuses null in place of a part of an operator. */
  static void requireGiven(@Nullable Object part, String name, String use) {
    if (part == null) {
      throw InvalidInputException.of("the " + name + " is null", use, "give one");
    }
  }

  /** An operator that returned null. */
  static InvalidInputException returnedNull(String operator) {
    return InvalidInputException.of(
        "the operator '" + operator + "' returned null",
        "there is no value to send on",
        "let it return a value for every pair of operands");
  }
}
