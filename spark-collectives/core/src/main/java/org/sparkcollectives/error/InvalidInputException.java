package org.sparkcollectives.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.error.ErrorText;

/**
 * Input, a setting or a use that no collective can work with, ranks that call different operations
 * among them. What one rank or the driver can see is found before anything is sent.
 */
public final class InvalidInputException extends CollectiveException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message problem, cause and remedy
   * @param cause the original exception, or null
   */
  public InvalidInputException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * The exception of a problem, its cause and a remedy.
   *
   * @param problem what went wrong
   * @param cause why
   * @param remedy what to do
   * @return the exception
   */
  public static InvalidInputException of(String problem, String cause, String remedy) {
    return of(problem, cause, remedy, null);
  }

  /**
   * As {@link #of(String, String, String)}, with the original exception.
   *
   * @param problem what went wrong
   * @param cause why
   * @param remedy what to do
   * @param original the original exception, or null
   * @return the exception
   */
  public static InvalidInputException of(
      String problem, String cause, String remedy, @Nullable Throwable original) {
    return new InvalidInputException(ErrorText.of(problem, cause, remedy), original);
  }

  /**
   * Checks a number that a user gave.
   *
   * @param name what the number is called
   * @param value the number
   * @param least the least number allowed
   * @throws InvalidInputException if it is less
   */
  public static void requireAtLeast(String name, int value, int least) {
    requireAtLeast(name, (long) value, least);
  }

  /**
   * Checks a number that a user gave.
   *
   * @param name what the number is called
   * @param value the number
   * @param least the least number allowed
   * @throws InvalidInputException if it is less
   */
  public static void requireAtLeast(String name, long value, long least) {
    if (value < least) {
      throw of(
          name + " is " + value,
          "it must be at least " + least,
          "give a whole number from " + least + " on");
    }
  }
}
