package org.sparkcollectives.internal.transport;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.sparkcollectives.error.DeadlineException;
import org.sparkcollectives.internal.error.ErrorText;

/**
 * The messages about links of every kind, in the form of {@link ErrorText}. Those that are {@link
 * IOException}s become the cause of the exception that a user sees.
 */
public final class LinkErrors {
  private static final String SEE_PEER = "look for the first failure in the log of that process";

  /** In messages about a link that broke, and in none about one that its peer has ended. */
  public static final String NETWORK_SAID = "the network said: ";

  /** The remedy where a process gets no socket, or what else takes a descriptor. */
  public static final String MORE_FILES =
      "if too many files are open, let this process have more descriptors (ulimit -n), and see"
          + " which ones it holds (/proc/<pid>/fd)";

  private LinkErrors() {}

  /**
   * A rank whose thread was interrupted while it waited.
   *
   * @param rank the rank's name
   * @return the exception
   */
  public static InterruptedIOException interrupted(String rank) {
    return new InterruptedIOException(
        ErrorText.of(
            rank + " stopped waiting",
            "its thread was interrupted",
            "run the job again if the interruption was not wanted"));
  }

  /**
   * A rank that the system does not let wait for connections.
   *
   * @param rank the rank's name
   * @param cause the original exception
   * @return the exception
   */
  static IOException noSelector(String rank, Throwable cause) {
    return new IOException(
        ErrorText.of(
            rank + " cannot wait for connections",
            "this process cannot open a selector, " + ErrorText.reason(cause),
            MORE_FILES),
        cause);
  }

  /**
   * The use of a transport after its end.
   *
   * @param rank the rank's name
   * @return the exception
   */
  public static IOException transportClosed(String rank) {
    return new IOException(
        ErrorText.of(
            rank + " has no links any more",
            "its communicator was released or closed",
            "use a communicator only inside the block that it was made for"));
  }

  /**
   * The use of one link after its end.
   *
   * @param peer the peer's name
   * @return the exception
   */
  public static IOException linkClosed(String peer) {
    return new IOException(
        ErrorText.of(
            "the link to " + peer + " is closed",
            "its communicator was released or closed",
            "use a communicator only inside the block that it was made for"));
  }

  /**
   * Bytes for a peer that has left its communicator.
   *
   * @param peer the peer's name
   * @return the exception
   */
  public static IOException peerLeft(String peer) {
    return new IOException(
        ErrorText.of("nothing can be sent to " + peer, "it has left the communicator", SEE_PEER));
  }

  /**
   * A link that failed in the middle.
   *
   * @param peer the peer's name
   * @param cause the original exception
   * @return the exception
   */
  public static IOException linkBroken(String peer, Throwable cause) {
    return new IOException(
        ErrorText.of(
            "the link to " + peer + " broke", NETWORK_SAID + ErrorText.reason(cause), SEE_PEER),
        cause);
  }

  /**
   * A peer that no provider reaches.
   *
   * @param rank the rank's name
   * @param peer the peer's name
   * @return the exception
   */
  static IOException noProvider(String rank, String peer) {
    return new IOException(
        ErrorText.of(
            rank + " has no way to " + peer,
            "none of its kinds of links reaches that process",
            "start both ranks from one release, with the same transports"));
  }

  /**
   * A wait for a link that lasted until its deadline.
   *
   * @param doing what was waited for
   * @param timeout how long
   * @return the exception
   */
  public static DeadlineException linkDeadline(String doing, Duration timeout) {
    return new DeadlineException(
        ErrorText.of(
            doing + " took longer than " + timeout.toMillis() + " ms",
            "the other rank did not come to this point, is stopped, or cannot be reached",
            "check that every rank calls the same collectives, or allow more time"),
        null);
  }

  /**
   * A communicator that an endpoint cannot take part in.
   *
   * @param what the communicator and the rank
   * @param cause why not
   * @return the exception
   */
  public static IOException cannotJoin(String what, String cause) {
    return new IOException(
        ErrorText.of(what + " cannot start", cause, "start the work again with a new epoch"));
  }
}
