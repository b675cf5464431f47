package org.sparkcollectives.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Input or a setting that no collective can work with; found before anything is sent. */
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
   * Checks a number that a user gave.
   *
   * @param name what the number is called
   * @param value the number
   * @param least the least number allowed
   * @throws InvalidInputException if it is less
   */
  public static void requireAtLeast(String name, int value, int least) {
    if (value < least) {
      throw ErrorText.invalid(
          name + " is " + value,
          "it must be at least " + least,
          "give a whole number from " + least + " on");
    }
  }
}
