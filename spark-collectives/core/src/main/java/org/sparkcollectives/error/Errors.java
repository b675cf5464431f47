package org.sparkcollectives.error;

import java.time.Duration;
import java.util.Collection;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The factory of all messages that a user can see. Each says the problem, its cause and a remedy,
 * in this order.
 */
public final class Errors {
  private Errors() {}

  /**
   * A schedule in rank order, asked for from an algorithm that has none.
   *
   * @param collective the collective asked for
   * @param slug the algorithm's name
   * @param option how to say that any order will do
   * @param ordered the algorithms that keep rank order
   * @return the exception
   */
  public static InvalidInputException noOrderedSchedule(
      String collective, String slug, String option, Collection<String> ordered) {
    return invalid(
        collective + " by '" + slug + "' has no schedule that keeps rank order",
        "'" + slug + "' combines operands as they come around",
        "give " + option + " if any order will do, or use " + quoted(ordered));
  }

  /**
   * A root that is no rank.
   *
   * @param collective the collective asked for
   * @param root the root given
   * @param size the number of ranks
   * @return the exception
   */
  public static InvalidInputException rootOutOfRange(String collective, int root, int size) {
    return invalid(
        "root " + root + " of a " + collective + " is out of range",
        "the ranks are 0 to " + (size - 1),
        "give one of these as the root");
  }

  /**
   * A root given to a collective that has none.
   *
   * @param collective the collective asked for
   * @param root the root given
   * @return the exception
   */
  public static InvalidInputException noRoot(String collective, int root) {
    return invalid(
        "root " + root + " is given for " + collective,
        "all ranks play the same part in it",
        "leave the root out");
  }

  /**
   * A collective's name that does not exist.
   *
   * @param slug the unknown name
   * @param known the names that exist
   * @return the exception
   */
  public static InvalidInputException unknownCollective(String slug, Collection<String> known) {
    return invalid(
        "unknown collective '" + slug + "'",
        "the collectives are " + String.join(", ", known),
        "name one of them");
  }

  /**
   * Checks a number that a user gave.
   *
   * @param name what the number is called
   * @param value the number
   * @param least the least number allowed
   * @throws InvalidInputException if it is less
   */
  public static void requireAtLeast(String name, int value, int least) {
    if (value < least) {
      throw invalid(
          name + " is " + value,
          "it must be at least " + least,
          "give a whole number from " + least + " on");
    }
  }

  /**
   * More hosts than ranks to put on them.
   *
   * @param hosts the number of hosts given
   * @param ranks the number of ranks
   * @return the exception
   */
  public static InvalidInputException moreHostsThanRanks(int hosts, int ranks) {
    return invalid(
        "--hosts is " + hosts,
        ranks + " ranks share at most " + ranks + " hosts",
        "give a whole number from 1 to " + ranks + ", or leave it out for a host for each rank");
  }

  /**
   * A null where a vector or an object is needed.
   *
   * @param where what the null stands for, such as "the vector of rank 3"
   * @return the exception
   */
  public static InvalidInputException nullValue(String where) {
    return invalid(
        where + " is null",
        "a collective combines or ships values, and null has none",
        "filter nulls out, or put a neutral value (such as zeros) in their place");
  }

  /**
   * A value whose type the operator does not work on.
   *
   * @param operator the operator's name
   * @param accepts what it accepts
   * @param type the type that it met
   * @return the exception
   */
  public static InvalidInputException operatorType(String operator, String accepts, String type) {
    return invalid(
        "the operator '" + operator + "' cannot combine " + type,
        "it works on " + accepts,
        "use an operator for that type (ReduceOp.ofObjects takes any), or convert the vectors");
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
   * A timeout that leaves no time.
   *
   * @param timeout the time span given
   * @return the exception
   */
  public static InvalidInputException timeoutNotPositive(Duration timeout) {
    return invalid(
        "a timeout of " + timeout.toMillis() + " ms leaves no time for any operation",
        "it must be positive",
        "give a longer one (spark.collectives.timeout)");
  }

  /**
   * A value that cannot be worked on in place.
   *
   * @param type its class
   * @return the exception
   */
  public static InvalidInputException noVector(String type) {
    return invalid(
        type + " is no vector",
        "vectors are double[], float[], long[], int[] and byte[]",
        "use broadcastObject for other objects, and an operator of ReduceOp.ofObjects to combine"
            + " them");
  }

  /**
   * Objects that do not fit into one message.
   *
   * @param bytes their size
   * @return the exception
   */
  public static InvalidInputException objectsTooLarge(long bytes) {
    return invalid(
        "objects of " + bytes + " bytes do not fit into one message",
        "a message of objects holds 2^31 - 9 bytes at most",
        "use a primitive array, which has no such limit, or smaller objects");
  }

  /**
   * An operator that returned null.
   *
   * @param operator the operator's name
   * @return the exception
   */
  public static InvalidInputException operatorReturnedNull(String operator) {
    return invalid(
        "the operator '" + operator + "' returned null",
        "there is no value to send on",
        "let it return a value for every pair of operands");
  }

  /**
   * A vector that an operator on tuples cannot take apart.
   *
   * @param operator the operator's name
   * @param width array elements in a tuple
   * @param length the vector's array elements
   * @return the exception
   */
  public static InvalidInputException notWholeTuples(String operator, int width, int length) {
    return invalid(
        "the operator '" + operator + "' cannot combine a vector of " + length + " elements",
        "it works on tuples of " + width + " elements, and " + length + " is no multiple of that",
        "give vectors of whole tuples");
  }

  /**
   * An operation on a communicator that has ended.
   *
   * @param collective the operation
   * @param reason why it broke, or null when it was closed
   * @return the exception
   */
  public static CollectiveException communicatorEnded(
      String collective, @Nullable Throwable reason) {
    return new CollectiveException(
        message(
            collective + " cannot run",
            reason == null
                ? "the communicator is closed"
                : "the communicator broke in an earlier operation (" + reason(reason) + ")",
            "use a new communicator"),
        reason);
  }

  /**
   * An object that its serializer cannot ship.
   *
   * @param type the object's class
   * @param original what the serializer threw
   * @return the exception
   */
  public static InvalidInputException notSerializable(String type, Throwable original) {
    return invalid(
        type + " cannot be shipped to other ranks",
        "the serializer says: " + reason(original),
        "make the class serializable, or configure a serializer that knows it (spark.serializer)",
        original);
  }

  /**
   * A connection that broke in the middle of an operation.
   *
   * @param operation what was under way
   * @param rank the rank that noticed
   * @param during what it was doing, with round and peer
   * @param original the exception
   * @return the exception
   */
  public static RankFailedException operationBroken(
      String operation, String rank, String during, Throwable original) {
    return new RankFailedException(
        message(
            operation + " broke off on " + rank + " " + during,
            reason(original),
            "look at that rank's log for why it ended; the communicator cannot be used any more"),
        original);
  }

  /**
   * Two ranks of one communicator that do different operations.
   *
   * @param rank the rank that noticed
   * @param operation what it does
   * @param peer the other rank
   * @param peersOperation what that one does
   * @return the exception
   */
  public static InvalidInputException differentOperation(
      String rank, String operation, String peer, String peersOperation) {
    return invalid(
        rank + " and " + peer + " do different operations",
        "the first does " + operation + ", the second " + peersOperation,
        "let all ranks call the same collectives in the same order, with vectors of one length and"
            + " type, the same root and the same algorithm");
  }

  /**
   * User code that threw while operands were combined or shipped.
   *
   * @param operation what was under way
   * @param rank the rank on which it threw
   * @param operator the operator's name
   * @param original what it threw
   * @return the exception
   */
  public static RankFailedException operatorThrew(
      String operation, String rank, String operator, Throwable original) {
    return new RankFailedException(
        message(
            operation + " failed on " + rank,
            "'" + operator + "' threw " + original,
            "mend the operator or its input; the communicator cannot be used any more"),
        original);
  }

  /**
   * An operation that did not end in time.
   *
   * @param operation what was under way
   * @param rank the rank that waited
   * @param during what it was doing, with round and peer
   * @param timeout how long it was given
   * @return the exception
   */
  public static DeadlineException deadline(
      String operation, String rank, String during, Duration timeout) {
    return new DeadlineException(
        message(
            operation + " did not end within " + timeout.toMillis() + " ms on " + rank,
            "it waited " + during,
            "see whether that rank calls the same collective and is alive, or raise the timeout"
                + " (spark.collectives.timeout)"),
        null);
  }

  /**
   * A rank whose function threw.
   *
   * @param what the rank and what it threw
   * @param original what it threw
   * @return the exception
   */
  public static RankFailedException rankFailed(String what, Throwable original) {
    return new RankFailedException(
        message("a rank failed", what, "mend that; the cause of this exception is the original"),
        original);
  }

  /**
   * The message for a rank that stops because another one failed.
   *
   * @param original why the other one failed
   * @return the message
   */
  public static String anotherRankFailed(Throwable original) {
    return message(
        "this rank stopped", "another rank failed: " + reason(original), "mend that failure first");
  }

  /**
   * A thread that was interrupted while it waited.
   *
   * @param original the interruption
   * @return the exception
   */
  public static AbortedException interrupted(Throwable original) {
    return new AbortedException(
        message(
            "the wait for a collective was given up",
            "its thread was interrupted",
            "see who cancelled it"),
        original);
  }

  private static String reason(Throwable original) {
    String text = original.getMessage();
    return text == null ? original.getClass().getSimpleName() : text;
  }

  /**
   * Puts the three parts of a message together.
   *
   * @param problem what went wrong
   * @param cause why
   * @param remedy what to do
   * @return one line
   */
  public static String message(String problem, String cause, String remedy) {
    return problem
        + ": "
        + cause
        + ". "
        + Character.toUpperCase(remedy.charAt(0))
        + remedy.substring(1)
        + ".";
  }

  private static String quoted(Collection<String> names) {
    return names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(" or "));
  }

  private static InvalidInputException invalid(String problem, String cause, String remedy) {
    return invalid(problem, cause, remedy, null);
  }

  private static InvalidInputException invalid(
      String problem, String cause, String remedy, @Nullable Throwable original) {
    return new InvalidInputException(message(problem, cause, remedy), original);
  }
}
