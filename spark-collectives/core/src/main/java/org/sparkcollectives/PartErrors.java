package org.sparkcollectives;

import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.schedule.Collective;

/** The messages about vectors that are divided among ranks. */
final class PartErrors {
  private static final String OWN_LENGTHS =
      "give the lengths of all ranks' parts, the same on every rank";

  private PartErrors() {}

  /** Lengths, or none for equal parts; null is neither. */
  static void requireCounts(Collective collective, int @Nullable [] counts) {
    if (counts == null) {
      throw InvalidInputException.of(
          "null is given for the lengths of parts in " + collective.slug(),
          "it is no list of lengths",
          "give none where all parts are equal, else one for each rank");
    }
  }

  /** A list of lengths that is not one of all ranks. */
  static InvalidInputException numberOfCounts(String collective, int given, int size) {
    return InvalidInputException.of(
        given + " lengths of parts are given for " + collective,
        "there are " + size + " ranks",
        "give one length for each rank, 0 for a rank that has no part");
  }

  /** A part of negative length. */
  static InvalidInputException negativeCount(String collective, int rank, int count) {
    return InvalidInputException.of(
        "rank " + rank + "'s part in " + collective + " has the length " + count,
        "a length is 0 or more",
        "give 0 for a rank that has no part");
  }

  /** Parts that are not the whole vector. */
  static InvalidInputException sumOfCounts(String collective, long sum, int length) {
    return InvalidInputException.of(
        "the parts in " + collective + " do not make up the vector",
        "their lengths sum up to " + sum + ", but the vector has " + length + " elements",
        "give lengths whose sum is the length of the vector");
  }

  /** A part that cuts a tuple in two. */
  static InvalidInputException cutTuple(String operator, int width, int rank, int count) {
    return InvalidInputException.of(
        "rank " + rank + "'s part of " + count + " elements cuts a tuple in two",
        "the operator '" + operator + "' works on tuples of " + width + " elements",
        "give lengths that are multiples of " + width);
  }

  /** A rank whose part has another length than was said. */
  static InvalidInputException ownPart(String collective, int rank, int length, int count) {
    return InvalidInputException.of(
        "rank " + rank + " brings " + length + " elements to " + collective,
        "the lengths given say " + count,
        OWN_LENGTHS);
  }

  /** A vector that no array can hold. */
  static InvalidInputException tooLong(String collective, int rank, long elements) {
    return InvalidInputException.of(
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

  /** A vector that does not divide evenly. */
  static InvalidInputException indivisible(String collective, int length, int size) {
    return InvalidInputException.of(
        length + " elements cannot be divided into equal parts for " + collective,
        "there are " + size + " ranks",
        "give a vector whose length is a multiple of that, or the length of each rank's part");
  }

  /** A list of objects that is not one of all ranks. */
  static InvalidInputException numberOfObjects(String collective, int given, int size) {
    return InvalidInputException.of(
        given + " objects are given for " + collective,
        "there are " + size + " ranks",
        "give one object for each rank");
  }

  /** A null where an array for the result should be. */
  static InvalidInputException noResultArray(String collective, int rank) {
    return InvalidInputException.of(
        "the array for the result of " + collective + " on rank " + rank + " is null",
        "into(...) writes into an array of the caller's",
        "give an array, or call the operation without into(...), which makes one");
  }

  /** An array for the result that is the vector given as well. */
  static InvalidInputException resultIsInput(String collective, int rank) {
    return InvalidInputException.of(
        "rank " + rank + " gives one array as its vector and for the result of " + collective,
        "the vector is still in use when the result is written",
        "give another array for the result");
  }

  /** An array for the result that is of another type than the vector. */
  static InvalidInputException resultType(String collective, int rank, String given, String type) {
    return InvalidInputException.of(
        "rank " + rank + " gives " + given + " for the result of " + collective,
        "the result has the type of the vector, " + type,
        "give an array of this type");
  }

  /** An array for the result that is too short or too long. */
  static InvalidInputException resultLength(String collective, int rank, int given, int length) {
    return InvalidInputException.of(
        "rank "
            + rank
            + " gives an array of "
            + given
            + " elements for the result of "
            + collective,
        "the result has " + length,
        "give an array of " + length + " elements");
  }
}
