package org.sparkcollectives.internal.select;

import java.util.Collection;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.error.ErrorText;

/** The messages about the choice of algorithms, in the form of {@link ErrorText#of}. */
final class SelectionErrors {
  private SelectionErrors() {}

  /**
   * A collective that no algorithm of the registry can do as asked.
   *
   * @param collective the collective asked for
   * @param ordered whether operands must stay in rank order
   * @return the exception
   */
  static InvalidInputException noAlgorithm(String collective, boolean ordered) {
    return InvalidInputException.of(
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
  static InvalidInputException refused(
      String collective, String slug, int size, String refusal, Collection<String> able) {
    return InvalidInputException.of(
        collective + " by '" + slug + "' cannot be done with " + size + " ranks",
        refusal,
        "use " + String.join(" or ", able) + ", or leave the choice to the library");
  }

  /**
   * More ranks than blocks can be numbered for.
   *
   * @param collective the collective asked for, which has a block for each pair of ranks
   * @param size the number of ranks
   * @return the exception
   */
  static InvalidInputException tooManyRanks(String collective, int size) {
    return InvalidInputException.of(
        size + " ranks are too many for " + collective,
        "it has a block for each pair of ranks, and at most 2^31 - 1 blocks can be numbered",
        "use at most 46340 ranks");
  }

  /**
   * More ranks than rounds can be counted for.
   *
   * @param size the number of ranks
   * @param most how many can be
   * @return the exception
   */
  static InvalidInputException tooManyRounds(int size, int most) {
    return InvalidInputException.of(
        size + " ranks are too many",
        "the rounds of some algorithms are several times the ranks, and are counted up to 2^31 - 1",
        "use at most " + most + " ranks");
  }
}
