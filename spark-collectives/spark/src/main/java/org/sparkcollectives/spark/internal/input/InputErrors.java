package org.sparkcollectives.spark.internal.input;

import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.error.ErrorText;

/** The messages about elements of RDDs. */
final class InputErrors {
  private InputErrors() {}

  /**
   * A value that cannot be put end to end with others, or be cut.
   *
   * @param where what it is, such as "an element of partition 3"
   * @param type its class
   * @return the exception
   */
  static InvalidInputException noParts(String where, String type) {
    return InvalidInputException.of(
        where + ", a " + type + ", cannot be divided into parts",
        "parts are those of a double[], float[], long[], int[] or byte[], or of a vector of MLlib",
        "give such vectors, for a number an array of one element");
  }

  /**
   * Elements of a class that not all results can have.
   *
   * @param type the class
   * @return the exception
   */
  static InvalidInputException denseResults(String type) {
    return InvalidInputException.of(
        "results cannot have the elements' class, " + type,
        "they are dense, but for sums that keep few elements",
        "give the elements the class Vector, as rdd.map(v => v: Vector) and"
            + " scatter[Vector](vector, parts) do");
  }

  /**
   * Vectors of different types that should be put end to end.
   *
   * @param where whose they are
   * @param one the type of the first
   * @param other the type of another one
   * @return the exception
   */
  static InvalidInputException typesDiffer(String where, String one, String other) {
    return InvalidInputException.of(
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
  static InvalidInputException concatenationTooLong(String where, long elements) {
    return InvalidInputException.of(
        "the vectors of " + where + " have " + elements + " elements together",
        "an array holds 2^31 - 9 at most",
        "use more partitions, or shorter vectors");
  }

  /**
   * RDDs that ask for different resources and are computed by the same tasks.
   *
   * @param rdd what is made of them
   * @param original what Spark says
   * @return the exception
   */
  static InvalidInputException resourcesDiffer(String rdd, IllegalArgumentException original) {
    return InvalidInputException.of(
        "no task can compute " + rdd,
        "RDDs behind it ask for different resources by withResources: " + original.getMessage(),
        "give them one resource profile, or set"
            + " spark.scheduler.resource.profileMergeConflicts=true",
        original);
  }

  /**
   * A partition that cannot be given to a rank.
   *
   * @param partition its index
   * @param original what the serializer says
   * @return the exception
   */
  static InvalidInputException notSerializable(int partition, Exception original) {
    return InvalidInputException.of(
        "partition " + partition + " cannot be given to its rank",
        "the serializer says: " + ErrorText.reason(original),
        "make the class of its elements serializable, or configure a serializer that knows it"
            + " (spark.serializer)",
        original);
  }

  /**
   * An aggregate whose function returned null.
   *
   * @param partition the partition in which it did
   * @return the exception
   */
  static InvalidInputException nullAggregate(int partition) {
    return InvalidInputException.of(
        "the aggregate of partition " + partition + " is null",
        "the zero function or the sequence function returned null",
        "let both return a value");
  }

  /**
   * A zero whose function throws.
   *
   * @param original what it has thrown
   * @return the exception
   */
  static InvalidInputException zeroNotMade(Throwable original) {
    return InvalidInputException.of(
        "the zero of an aggregate cannot be made",
        "its function has thrown " + original,
        "see the cause; the function is called at the driver, too",
        original);
  }

  /**
   * A zero that an operator does not take.
   *
   * @param zero its class, in words
   * @param operator the operator's name
   * @param e why
   * @return the exception
   */
  static InvalidInputException zeroNotTaken(String zero, String operator, InvalidInputException e) {
    return InvalidInputException.of(
        "aggregates that begin with " + zero + " cannot be combined by '" + operator + "'",
        ErrorText.reason(e),
        "let the zero be an array, a number or a vector of MLlib, of whole tuples, or combine the"
            + " aggregates by a function",
        e);
  }

  /**
   * An exclusive scan by an operator without neutral element.
   *
   * @param operator the operator's name
   * @return the exception
   */
  static InvalidInputException noNeutralElement(String operator) {
    return InvalidInputException.of(
        "an exclusive scan has no value for its first element",
        "the operator '" + operator + "' has no neutral element",
        "use a scan, or an operator that is made with one (ReduceOp.ofObjects with an identity)");
  }
}
