package org.sparkcollectives.internal.vector;

import java.io.InvalidClassException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.error.CauseChain;
import org.sparkcollectives.internal.error.ErrorText;
import org.sparkcollectives.vector.ReduceOp;

/** The errors of values that are no vectors, or that cannot be shipped. */
public final class VectorErrors {
  private VectorErrors() {}

  /**
   * A null where a vector or an object is needed.
   *
   * @param where what the null stands for, such as "the vector of rank 3"
   * @return the exception
   */
  public static InvalidInputException nullValue(String where) {
    return InvalidInputException.of(
        where + " is null",
        "a collective combines or ships values, and null has none",
        "filter nulls out, or put a neutral value (such as zeros) in their place");
  }

  /**
   * Refuses null.
   *
   * @param value what must not be null
   * @param where what it stands for, such as "the vector of rank 3"
   */
  public static void requireValue(@Nullable Object value, Supplier<String> where) {
    if (value == null) {
      throw nullValue(where.get());
    }
  }

  /**
   * Refuses null in place of an operator.
   *
   * @param op the operator that was given
   */
  public static void requireOperator(@Nullable ReduceOp<?> op) {
    if (op == null) {
      throw InvalidInputException.of(
          "the operator is null",
          "a reduction needs one to combine by",
          "give one, such as ReduceOp.SUM");
    }
  }

  /**
   * Refuses null in place of an argument.
   *
   * @param argument what was given
   * @param name what it is called
   * @param use what it is needed for
   */
  public static void requireGiven(@Nullable Object argument, String name, String use) {
    if (argument == null) {
      throw InvalidInputException.of("the " + name + " is null", use, "give one");
    }
  }

  /** A value that cannot be worked on in place. */
  static InvalidInputException noVector(String type) {
    List<String> arrays =
        Arrays.stream(ElementType.values())
            .map(ElementType::arrays)
            .filter(Objects::nonNull)
            .map(Class::getTypeName)
            .toList();
    int last = arrays.size() - 1;
    return InvalidInputException.of(
        type + " is no vector",
        "vectors are " + String.join(", ", arrays.subList(0, last)) + " and " + arrays.get(last),
        "use objects().broadcast for other objects, and an operator of ReduceOp.ofObjects to combine"
            + " them");
  }

  /** Objects that do not fit into one message. */
  static InvalidInputException objectsTooLarge(long bytes) {
    return InvalidInputException.of(
        "objects of " + bytes + " bytes do not fit into one message",
        "a message of objects holds 2^31 - 9 bytes at most",
        "use a primitive array, which has no such limit, smaller objects, or an algorithm that"
            + " sends one object at a time (such as by(\"ring\") or by(\"linear\"))");
  }

  /**
   * The shape of a broadcast object that no array has.
   *
   * @param root who has sent it
   * @param kind the kind of array that it names
   * @param length the length that it names
   * @return the exception
   */
  public static InvalidInputException noShape(int root, long kind, long length) {
    return InvalidInputException.of(
        "what root " + root + " broadcasts is no object",
        "it announces an array of kind " + kind + " with " + length + " elements, which cannot be",
        "let every rank call objects().broadcast, and none broadcast for it");
  }

  /**
   * An object that its serializer cannot ship.
   *
   * @param type the object's class
   * @param original what the serializer threw
   * @return the exception
   */
  public static InvalidInputException notSerializable(String type, Throwable original) {
    return InvalidInputException.of(
        type + " cannot be shipped to other ranks",
        "the serializer says: " + ErrorText.reason(original),
        "make the class serializable, or configure a serializer that knows it (spark.serializer in"
            + " Spark, withCodec of the options elsewhere)",
        original);
  }

  /**
   * An object of another rank that the serializer cannot read, or that a filter does not let pass.
   *
   * @param what which one, for people
   * @param original what the serializer threw
   * @return the exception
   */
  public static InvalidInputException notReadable(String what, Throwable original) {
    return InvalidInputException.of(
        what + " cannot be read",
        "the serializer says: " + ErrorText.reason(original),
        isFiltered(original)
            ? "add the class to spark.collectives.objects.filter in Spark, or to jdk.serialFilter"
                + " where the JVM has one"
            : "give all ranks the same version of its class (--jars in Spark), or configure a"
                + " serializer that can read it (spark.serializer in Spark, withCodec of the options"
                + " elsewhere)",
        original);
  }

  private static boolean isFiltered(Throwable original) {
    return CauseChain.find(
            original,
            each ->
                each instanceof InvalidClassException
                    && String.valueOf(each.getMessage()).contains("filter status: REJECTED"))
        .isPresent();
  }

  /**
   * A neutral element that is null.
   *
   * @param operator the name of the operator that is to have one
   * @return the exception
   */
  public static InvalidInputException nullIdentity(String operator) {
    return InvalidInputException.of(
        "the neutral element of '" + operator + "' is null",
        "the function that makes it returned null, and rank 0 of an exclusive scan gets what it"
            + " makes",
        "let it return a value, or make the operator without such a function");
  }

  /**
   * An operator on whole objects, for a schedule of the caller's own.
   *
   * @param operator the operator's name
   * @return the exception
   */
  public static InvalidInputException noBlocks(String operator) {
    return InvalidInputException.of(
        "no schedule can be run with '" + operator + "'",
        "the operator works on whole objects, and schedules on blocks of arrays",
        "use an operator on arrays, or a collective of Communicator for the objects");
  }

  /**
   * An operator on whole objects, which cannot be divided.
   *
   * @param operator the operator's name
   * @return the exception
   */
  public static InvalidInputException wholeObjects(String operator) {
    return InvalidInputException.of(
        "reduce_scatter cannot divide a value that '" + operator + "' combines",
        "the operator works on whole objects",
        "use an operator on arrays, or give a list of one object per rank to"
            + " Communicator.objects().reduceScatter");
  }
}
