package org.sparkcollectives.error;

import java.util.Collection;

/** The messages about costs and the choice of algorithms, in the form of {@link Errors#message}. */
public final class SelectionErrors {
  private SelectionErrors() {}

  /**
   * A collective that no algorithm of the registry can do as asked.
   *
   * @param collective the collective asked for
   * @param ordered whether operands must stay in rank order
   * @return the exception
   */
  public static InvalidInputException noAlgorithm(String collective, boolean ordered) {
    return invalid(
        "there is no algorithm for this " + collective,
        "none of those registered can do it" + (ordered ? " in rank order" : ""),
        ordered ? "declare the operator commutative if it is" : "use another collective");
  }

  /**
   * An algorithm asked for a problem that it cannot solve.
   *
   * @param collective the collective asked for
   * @param slug the algorithm's name
   * @param size the number of ranks
   * @param refusal why it cannot
   * @param able the algorithms that can
   * @return the exception
   */
  public static InvalidInputException refused(
      String collective, String slug, int size, String refusal, Collection<String> able) {
    return invalid(
        collective + " by '" + slug + "' cannot be done with " + size + " ranks",
        refusal,
        "use " + String.join(" or ", able) + ", or leave the choice to the library");
  }

  /**
   * A rule for the choice of algorithms that cannot be read.
   *
   * @param collective the collective that it is for
   * @param rule the text
   * @param cause what is wrong with it
   * @return the exception
   */
  public static InvalidInputException badRule(String collective, String rule, String cause) {
    return invalid(
        "the rule '" + rule + "' for " + collective + " cannot be read",
        cause,
        "write rules such as 'bytes<=4k: ALGORITHM; size>=16,bytes>1m: ALGORITHM; ALGORITHM'");
  }

  /**
   * A cost profile that cannot be read.
   *
   * @param path where it is
   * @param cause what is wrong with it
   * @return the exception
   */
  public static InvalidInputException badProfile(String path, String cause) {
    return invalid(
        "the cost profile " + path + " cannot be read",
        cause,
        "give a file that 'collectives calibrate' wrote, or one made like those in conf/");
  }

  /**
   * A number of bytes that cannot be read.
   *
   * @param text what was given
   * @return the exception
   */
  public static InvalidInputException badBytes(String text) {
    return invalid(
        "'" + text + "' is no number of bytes",
        "it is not a whole number with k, m or g behind it, or nothing",
        "write 8, 256k, 8m or 1g");
  }

  /**
   * More ranks than blocks can be numbered for.
   *
   * @param collective the collective asked for, which has a block for each pair of ranks
   * @param size the number of ranks
   * @return the exception
   */
  public static InvalidInputException tooManyRanks(String collective, int size) {
    return invalid(
        size + " ranks are too many for " + collective,
        "it has a block for each pair of ranks, and at most 2^31 - 1 blocks can be numbered",
        "use at most 46340 ranks");
  }

  private static InvalidInputException invalid(String problem, String cause, String remedy) {
    return new InvalidInputException(Errors.message(problem, cause, remedy), null);
  }
}
