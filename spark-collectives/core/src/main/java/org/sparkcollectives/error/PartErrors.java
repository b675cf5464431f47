package org.sparkcollectives.error;

/** The messages about vectors that are divided among ranks. */
public final class PartErrors {
  private PartErrors() {}

  /**
   * A value that cannot be put end to end with others, or be cut.
   *
   * @param where what it is, such as "an element of partition 3"
   * @param type its class
   * @return the exception
   */
  public static InvalidInputException noParts(String where, String type) {
    return invalid(
        where + ", a " + type + ", cannot be divided into parts",
        "parts are parts of an array (double[], float[], long[], int[] or byte[])",
        "map the elements to arrays, a number to an array of one element");
  }

  /**
   * Vectors of different types that should be put end to end.
   *
   * @param where whose they are
   * @param one the type of the first
   * @param other the type of another one
   * @return the exception
   */
  public static InvalidInputException typesDiffer(String where, String one, String other) {
    return invalid(
        "the vectors of " + where + " cannot be put end to end",
        "one is of " + one + ", another of " + other,
        "give all elements of the RDD one type");
  }

  /**
   * Vectors that are too long to be put end to end.
   *
   * @param where whose they are
   * @param elements their length together
   * @return the exception
   */
  public static InvalidInputException concatenationTooLong(String where, long elements) {
    return invalid(
        "the vectors of " + where + " have " + elements + " elements together",
        "an array holds 2^31 - 9 at most",
        "use more partitions, or shorter vectors");
  }

  private static InvalidInputException invalid(String problem, String cause, String remedy) {
    return new InvalidInputException(ErrorText.of(problem, cause, remedy), null);
  }
}
