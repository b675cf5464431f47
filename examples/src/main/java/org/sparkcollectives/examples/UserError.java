package org.sparkcollectives.examples;

/** An error of the input that its message explains completely: problem, cause, remedy. */
public final class UserError extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * An error.
   *
   * @param message problem, cause and remedy
   */
  public UserError(String message) {
    super(message);
  }

  /**
   * Refuses input unless a condition holds.
   *
   * @param holds the condition
   * @param message problem, cause and remedy
   */
  public static void check(boolean holds, String message) {
    if (!holds) {
      throw new UserError(message);
    }
  }
}
