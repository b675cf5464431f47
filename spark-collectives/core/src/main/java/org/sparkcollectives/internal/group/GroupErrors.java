package org.sparkcollectives.internal.group;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.DeadlineException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.error.ErrorText;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Roster;

/** The messages about groups of processes, in the form of {@link ErrorText}. */
public final class GroupErrors {
  private static final int MOST_NAMED = 16;

  private GroupErrors() {}

  /** The classes of exceptions that rank 0 gives other ranks, by their numbers on the wire. */
  enum Kind {
    /** Something went wrong. */
    FAILURE(0),
    /** Options that do not fit together. */
    INPUT(1),
    /** Time is up. */
    DEADLINE(2);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    /** Its number on the wire. */
    int code() {
      return code;
    }

    /** The class of a number, or null if there is none. */
    static @Nullable Kind ofCode(int code) {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      return null;
    }

    static Kind of(RuntimeException reason) {
      return reason instanceof InvalidInputException
          ? INPUT
          : reason instanceof DeadlineException ? DEADLINE : FAILURE;
    }

    CollectiveException exception(String message) {
      return switch (this) {
        case FAILURE -> new CollectiveException(message, null);
        case INPUT -> new InvalidInputException(message, null);
        case DEADLINE -> new DeadlineException(message, null);
      };
    }
  }

  /**
   * An address of another form.
   *
   * @param text what was given
   * @return the exception
   */
  static InvalidInputException malformedAddress(String text) {
    return InvalidInputException.of(
        "the address '" + text + "' cannot be read",
        "it is not a host, a colon and a port from 0 to 65535",
        "write it like node-1:7400 or 10.0.0.1:7400, an IPv6 address in brackets: [fd00::1]:7400");
  }

  /**
   * An option that is missing or has no sense.
   *
   * @param problem what is wrong
   * @param cause why that is wrong
   * @param remedy what to give instead
   * @return the exception
   */
  public static InvalidInputException badOption(String problem, String cause, String remedy) {
    return InvalidInputException.of(problem, cause, remedy);
  }

  /**
   * Refuses a number of connections that two ranks cannot have to each other.
   *
   * @param count the number
   * @throws InvalidInputException unless it is 1 to {@link Roster#MOST_CONNECTIONS}
   */
  public static void checkConnections(int count) {
    if (count < 1 || count > Roster.MOST_CONNECTIONS) {
      throw badOption(
          "two ranks cannot have " + count + " connections to each other",
          "they have 1 to " + Roster.MOST_CONNECTIONS,
          "give such a number of connectionsPerPeer");
    }
  }

  static InvalidInputException textTooLong(String text, int most) {
    return InvalidInputException.of(
        "a rank cannot say how it is reached",
        "'" + text.substring(0, Math.min(text.length(), 40)) + "...' has over " + most + " bytes",
        "give shorter names of host, node and label");
  }

  /**
   * An address that rank 0 cannot listen on.
   *
   * @param address the address
   * @param cause what the system said
   * @return the exception
   */
  static CollectiveException cannotListen(Address address, Throwable cause) {
    return failure(
        "rank 0 cannot listen on " + address,
        ErrorText.reason(cause),
        "give all ranks an address of rank 0's machine, with a port on which no process listens",
        cause);
  }

  /**
   * A host to listen on that stands for no address, or for none in time.
   *
   * @param host the host
   * @param cause what the lookup said
   * @return the exception
   */
  static CollectiveException noBindAddress(String host, Throwable cause) {
    return failure(
        "cannot listen on " + host,
        ErrorText.reason(cause),
        "give an address of this machine, or a name that is known to be it",
        cause);
  }

  /**
   * A meeting that the system did not let be.
   *
   * @param address where it was to be
   * @param cause what the system said
   * @return the exception
   */
  static CollectiveException noMeeting(Address address, Throwable cause) {
    return failure(
        "the ranks cannot meet at " + address,
        ErrorText.reason(cause),
        "see that the process may open sockets and has file descriptors left",
        cause);
  }

  /**
   * A process that has no place to listen for its links.
   *
   * @param cause what the endpoint said, a whole message
   * @return the exception
   */
  static CollectiveException noEndpoint(Throwable cause) {
    return new CollectiveException(ErrorText.reason(cause), cause);
  }

  /** The use of a group after its end. */
  static CollectiveException closed() {
    return failure(
        "the group has no communicators any more",
        "it is closed",
        "use a group before it is closed",
        null);
  }

  /**
   * A rank 0 that was not reached until the deadline.
   *
   * @param address its address
   * @param timeout how long it was tried
   * @param last what the last attempt ended with
   * @return the exception
   */
  static DeadlineException firstNotReached(Address address, Duration timeout, Throwable last) {
    return new DeadlineException(
        ErrorText.of(
            "rank 0 was not reached at " + address + " within " + timeout.toMillis() + " ms",
            ErrorText.reason(last),
            "check that rank 0 runs, in the same version, and was given this address, that no"
                + " firewall closes the port, and that its group has not met already; or allow"
                + " more time"),
        last);
  }

  /**
   * A rank 0 that was reached, and then gave no answer.
   *
   * @param address its address
   * @param timeout how long that took in all
   * @param last what the last attempt ended with
   * @return the exception
   */
  static DeadlineException firstLost(Address address, Duration timeout, Throwable last) {
    return new DeadlineException(
        ErrorText.of(
            "rank 0 at "
                + address
                + " was reached, but has not said within "
                + timeout.toMillis()
                + " ms that the group is complete",
            ErrorText.reason(last),
            "look for the first failure in the log of rank 0, or allow more time"),
        last);
  }

  /**
   * Something else than a rank 0.
   *
   * @param address the address
   * @param cause what it did
   * @return the exception
   */
  static CollectiveException noFirst(Address address, Throwable cause) {
    return failure(
        "there is no rank 0 at " + address,
        "a process answers there, but " + ErrorText.reason(cause),
        "check the address, and that all ranks run the same version",
        cause);
  }

  /**
   * A rank 0 that has another secret.
   *
   * @param address its address
   * @param cause what it did
   * @return the exception
   */
  static CollectiveException wrongSecret(Address address, Throwable cause) {
    return failure(
        "rank 0 at " + address + " has another secret",
        "it could not prove that it knows this rank's",
        "give all ranks of the group the same secret, and each group an address of its own",
        cause);
  }

  static InvalidInputException otherSize(int size, int theirs, String from) {
    return InvalidInputException.of(
        "the ranks do not agree on the size of their group",
        "rank 0 was told " + size + " ranks, the process at " + from + " " + theirs,
        "give all ranks the same size");
  }

  static InvalidInputException otherAddresses(String from) {
    return InvalidInputException.of(
        "the ranks do not agree on their addresses",
        "rank 0 was given another list than the process at " + from,
        "give all ranks the same list of addresses, or none of them a list");
  }

  static InvalidInputException otherEncryption(boolean encrypted, String from) {
    return InvalidInputException.of(
        "the ranks do not agree on encryption",
        encrypted
            ? "rank 0 encrypts what it sends, and the process at " + from + " does not"
            : "the process at " + from + " encrypts what it sends, and rank 0 does not",
        "give all ranks encrypted(true), or none");
  }

  static InvalidInputException otherRack(Peer one, Peer other) {
    return InvalidInputException.of(
        "the ranks do not agree on the rack of " + one.node(),
        String.format(
            Locale.ROOT,
            "rank %d was told '%s', rank %d '%s'",
            one.rank(),
            one.rack(),
            other.rank(),
            other.rack()),
        "give all ranks of a machine the same rack, or none of them one");
  }

  static InvalidInputException noRank(int rank, int size) {
    return InvalidInputException.of(
        "rank " + rank + " is no rank of the group beside rank 0",
        "these are 1 to " + (size - 1),
        "give each process one of them");
  }

  static InvalidInputException claimedTwice(int rank, String first, String second) {
    return InvalidInputException.of(
        "two processes claim rank " + rank,
        "the one at " + first + " came before the one at " + second,
        "give every process another rank, or none but rank 0's, and start each rank once");
  }

  static InvalidInputException crowded(int size, String from) {
    return InvalidInputException.of(
        "more processes have come than the group has ranks",
        "its " + size + " ranks are taken, and the process at " + from + " is one more",
        "start as many processes as the group has ranks");
  }

  /**
   * A group that is not complete at a deadline.
   *
   * @param size the number of ranks
   * @param millis how long was waited
   * @param address where they meet
   * @param missing the ranks that nobody has claimed
   * @param unnamed how many have come that will take any of these
   * @param gaveUp the ranks, {@link GroupPlan#ANY_RANK} among them, of those who had come and whose
   *     own deadlines have passed
   * @param sentAway who was sent away, and why
   * @return the exception
   */
  static DeadlineException incomplete(
      int size,
      long millis,
      Address address,
      List<Integer> missing,
      int unnamed,
      List<Integer> gaveUp,
      Collection<String> sentAway) {
    String cause =
        unnamed == 0
            ? names(missing) + (missing.size() == 1 ? " is missing" : " are missing")
            : (missing.size() - unnamed) + " of " + names(missing) + " missing";
    String early = gaveUp.isEmpty() ? "" : "; " + who(gaveUp) + " had come and waited no longer";
    String away = sentAway.isEmpty() ? "" : "; sent away: " + String.join("; ", sentAway);
    return new DeadlineException(
        ErrorText.of(
            "the group of " + size + " ranks is not complete after " + millis + " ms",
            cause + early + away,
            "look for the first failure in the logs of the ranks that are missing, check that they"
                + " were given the address "
                + address
                + " and the same secret, or allow more time"),
        null);
  }

  /** Processes by their ranks where all have one, else how many they are. */
  private static String who(List<Integer> ranks) {
    return ranks.contains(GroupPlan.ANY_RANK)
        ? ranks.size() + (ranks.size() == 1 ? " process" : " processes")
        : names(ranks.stream().sorted().toList());
  }

  private static String names(List<Integer> ranks) {
    String names =
        ranks.stream().limit(MOST_NAMED).map(String::valueOf).collect(Collectors.joining(", "));
    int more = ranks.size() - MOST_NAMED;
    return (ranks.size() == 1 ? "rank " : "ranks ")
        + names
        + (more > 0 ? " and " + more + " more" : "");
  }

  /**
   * A rank 0 whose thread was interrupted, or that failed, told to the others.
   *
   * @param reason why
   * @return the exception
   */
  static CollectiveException firstFailed(Throwable reason) {
    return failure(
        "the group did not come about",
        "rank 0 failed: " + ErrorText.reason(reason),
        "see its log",
        reason);
  }

  private static CollectiveException failure(
      String problem, String cause, String remedy, @Nullable Throwable original) {
    return new CollectiveException(ErrorText.of(problem, cause, remedy), original);
  }
}
