package org.sparkcollectives.internal.error;

import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** The form of all messages that a user can see: the problem, its cause and a remedy, in a line. */
public final class ErrorText {
  private ErrorText() {}

  /**
   * Puts the three parts of a message together.
   *
   * @param problem what went wrong
   * @param cause why; it may be such a message itself, or another's that ends with a new line
   * @param remedy what to do
   * @return problem: cause. Remedy.
   */
  public static String of(String problem, String cause, String remedy) {
    String stripped = cause.stripTrailing();
    return problem
        + ": "
        + stripped
        + (stripped.endsWith(".") ? " " : ". ")
        + Character.toUpperCase(remedy.charAt(0))
        + remedy.substring(1)
        + ".";
  }

  /**
   * What an exception says, as a part of a message.
   *
   * @param original the exception
   * @return its message, or the name of its class where it has none; where the message is only the
   *     name of a file, what is wrong with that
   */
  public static String reason(Throwable original) {
    if (original instanceof NoSuchFileException missing) {
      return "there is no file " + missing.getFile();
    }
    if (original instanceof AccessDeniedException denied) {
      return "this process may not open " + denied.getFile();
    }
    String text = original.getMessage();
    return text == null ? original.getClass().getSimpleName() : text;
  }
}
