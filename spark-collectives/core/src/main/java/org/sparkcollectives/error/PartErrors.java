package org.sparkcollectives.error;

/** The messages about vectors that are divided among ranks. */
public final class PartErrors {
  private static final String OWN_LENGTHS =
      "give the lengths of all ranks' parts, the same on every rank";

  private PartErrors() {}

  /**
   * A list of lengths that is not one of all ranks.
   *
   * @param collective the collective asked for
   * @param given how many lengths are given
   * @param size the number of ranks
   * @return the exception
   */
  public static InvalidInputException numberOfCounts(String collective, int given, int size) {
    return invalid(
        given + " lengths of parts are given for " + collective,
        "there are " + size + " ranks",
        "give one length for each rank, 0 for a rank that has no part");
  }

  /**
   * A part of negative length.
   *
   * @param collective the collective asked for
   * @param rank the rank whose part it is
   * @param count the length
   * @return the exception
   */
  public static InvalidInputException negativeCount(String collective, int rank, int count) {
    return invalid(
        "rank " + rank + "'s part in " + collective + " has the length " + count,
        "a length is 0 or more",
        "give 0 for a rank that has no part");
  }

  /**
   * Parts that are not the whole vector.
   *
   * @param collective the collective asked for
   * @param sum the sum of their lengths
   * @param length the length of the vector
   * @return the exception
   */
  public static InvalidInputException sumOfCounts(String collective, long sum, int length) {
    return invalid(
        "the parts in " + collective + " do not make up the vector",
        "their lengths sum up to " + sum + ", but the vector has " + length + " elements",
        "give lengths whose sum is the length of the vector");
  }

  /**
   * A part that cuts a tuple in two.
   *
   * @param operator the operator's name
   * @param width array elements in a tuple
   * @param rank the rank whose part it is
   * @param count the part's length
   * @return the exception
   */
  public static InvalidInputException cutTuple(String operator, int width, int rank, int count) {
    return invalid(
        "rank " + rank + "'s part of " + count + " elements cuts a tuple in two",
        "the operator '" + operator + "' works on tuples of " + width + " elements",
        "give lengths that are multiples of " + width);
  }

  /**
   * A rank whose part has another length than was said.
   *
   * @param collective the collective asked for
   * @param rank the rank
   * @param length its part's length
   * @param count the length that was said
   * @return the exception
   */
  public static InvalidInputException ownPart(String collective, int rank, int length, int count) {
    return invalid(
        "rank " + rank + " brings " + length + " elements to " + collective,
        "the lengths given say " + count,
        OWN_LENGTHS);
  }

  /**
   * A vector that no array can hold.
   *
   * @param collective the collective asked for
   * @param rank the rank that would hold it
   * @param elements its length
   * @return the exception
   */
  public static InvalidInputException tooLong(String collective, int rank, long elements) {
    return invalid(
        "the result of "
            + collective
            + " on rank "
            + rank
            + " would have "
            + elements
            + " elements",
        "an array holds 2^31 - 9 at most",
        "call it several times with shorter vectors");
  }

  /**
   * A vector that does not divide evenly.
   *
   * @param collective the collective asked for
   * @param length the length of the vector
   * @param size the number of ranks
   * @return the exception
   */
  public static InvalidInputException indivisible(String collective, int length, int size) {
    return invalid(
        length + " elements cannot be divided into equal parts for " + collective,
        "there are " + size + " ranks",
        "give a vector whose length is a multiple of that, or the length of each rank's part");
  }

  /**
   * A list of objects that is not one of all ranks.
   *
   * @param collective the collective asked for
   * @param given how many objects are given
   * @param size the number of ranks
   * @return the exception
   */
  public static InvalidInputException numberOfObjects(String collective, int given, int size) {
    return invalid(
        given + " objects are given for " + collective,
        "there are " + size + " ranks",
        "give one object for each rank");
  }

  /**
   * An operator on whole objects, which cannot be divided.
   *
   * @param operator the operator's name
   * @return the exception
   */
  public static InvalidInputException wholeObjects(String operator) {
    return invalid(
        "reduce_scatter cannot divide a value that '" + operator + "' combines",
        "the operator works on whole objects",
        "use an operator on arrays, or give a list of one object per rank to"
            + " Communicator.objects().reduceScatter");
  }

  /**
   * A null where an array for the result should be.
   *
   * @param collective the collective asked for
   * @param rank the rank that gives it
   * @return the exception
   */
  public static InvalidInputException noResultArray(String collective, int rank) {
    return invalid(
        "the array for the result of " + collective + " on rank " + rank + " is null",
        "into(...) writes into an array of the caller's",
        "give an array, or call the operation without into(...), which makes one");
  }

  /**
   * An array for the result that is the vector given as well.
   *
   * @param collective the collective asked for
   * @param rank the rank that gives it
   * @return the exception
   */
  public static InvalidInputException resultIsInput(String collective, int rank) {
    return invalid(
        "rank " + rank + " gives one array as its vector and for the result of " + collective,
        "the vector is still in use when the result is written",
        "give another array for the result");
  }

  /**
   * An array for the result that is of another type than the vector.
   *
   * @param collective the collective asked for
   * @param rank the rank that gives it
   * @param given its type
   * @param type the vector's type
   * @return the exception
   */
  public static InvalidInputException resultType(
      String collective, int rank, String given, String type) {
    return invalid(
        "rank " + rank + " gives " + given + " for the result of " + collective,
        "the result has the type of the vector, " + type,
        "give an array of this type");
  }

  /**
   * An array for the result that is too short or too long.
   *
   * @param collective the collective asked for
   * @param rank the rank that gives it
   * @param given its length
   * @param length the result's length
   * @return the exception
   */
  public static InvalidInputException resultLength(
      String collective, int rank, int given, int length) {
    return invalid(
        "rank "
            + rank
            + " gives an array of "
            + given
            + " elements for the result of "
            + collective,
        "the result has " + length,
        "give an array of " + length + " elements");
  }

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
    return new InvalidInputException(Errors.message(problem, cause, remedy), null);
  }
}
