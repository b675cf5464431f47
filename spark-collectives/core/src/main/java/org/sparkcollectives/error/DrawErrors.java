package org.sparkcollectives.error;

/** Messages about pictures that cannot be drawn. */
public final class DrawErrors {
  private DrawErrors() {}

  /**
   * A problem that an algorithm cannot solve.
   *
   * @param collective the collective asked for
   * @param slug the algorithm's name
   * @param refusal why it cannot
   * @return the exception
   */
  public static InvalidInputException refused(String collective, String slug, String refusal) {
    return invalid(
        collective + " by '" + slug + "' has no schedule for this problem",
        refusal,
        "change that, or name another algorithm");
  }

  /**
   * Trees of an algorithm that has none.
   *
   * @param what the collective and the algorithm
   * @return the exception
   */
  public static InvalidInputException noTrees(String what) {
    return invalid(
        what + " has no trees to draw",
        "its blocks do not travel along trees over all ranks",
        "give --view time");
  }

  /**
   * Trees that would not be readable.
   *
   * @param what the collective and the algorithm
   * @param size the number of ranks
   * @param trees the number of trees
   * @param mostRanks how many ranks are drawn
   * @param mostTrees how many trees are drawn
   * @return the exception
   */
  public static InvalidInputException treesTooLarge(
      String what, int size, int trees, int mostRanks, int mostTrees) {
    return invalid(
        "the trees of " + what + " are too large to draw",
        "they are "
            + trees
            + " of "
            + size
            + " ranks; at most "
            + mostTrees
            + " of "
            + mostRanks
            + " ranks are drawn",
        "give a smaller --size or fewer --blocks");
  }

  /**
   * A diagram of rounds that would not be readable.
   *
   * @param size the number of ranks
   * @param rounds the number of rounds
   * @param most how many rounds of a rank are drawn
   * @return the exception
   */
  public static InvalidInputException timeTooLarge(int size, int rounds, int most) {
    return invalid(
        size + " ranks over " + rounds + " rounds are too large to draw",
        "ranks times rounds may be " + most + " at most",
        "give a smaller --size or fewer --blocks");
  }

  /**
   * A file that cannot be written.
   *
   * @param file its name
   * @param original why not
   * @return the exception
   */
  public static InvalidInputException notWritten(String file, Throwable original) {
    return new InvalidInputException(
        Errors.message(
            "the file '" + file + "' cannot be written",
            String.valueOf(original),
            "name a file in a folder that exists and may be written to"),
        original);
  }

  private static InvalidInputException invalid(String problem, String cause, String remedy) {
    return new InvalidInputException(Errors.message(problem, cause, remedy), null);
  }
}
