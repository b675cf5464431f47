package org.sparkcollectives.error;

/** The form of all messages that a user can see: the problem, its cause and a remedy, in a line. */
public final class Errors {
  private Errors() {}

  /**
   * Puts the three parts of a message together.
   *
   * @param problem what went wrong
   * @param cause why
   * @param remedy what to do
   * @return one line
   */
  public static String message(String problem, String cause, String remedy) {
    return ErrorText.of(problem, cause, remedy);
  }
}
