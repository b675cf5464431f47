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

  private static InvalidInputException invalid(String problem, String cause, String remedy) {
    return new InvalidInputException(Errors.message(problem, cause, remedy), null);
  }
}
