package org.sparkcollectives.internal.transport.tcp;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.error.ErrorText;
import org.sparkcollectives.internal.transport.LinkErrors;
import org.sparkcollectives.internal.transport.TransportCounters;
import org.sparkcollectives.internal.transport.tcp.channel.BrokenSeal;

/** The messages about listening, dialing and the handshake, in the form of {@link ErrorText}. */
final class TcpErrors {
  private static final String SEE_PEER = "look for the first failure in the log of that process";

  private TcpErrors() {}

  /**
   * A peer to which no connection could be made.
   *
   * @param peer the peer's name
   * @param address the address tried
   * @param cause the original exception
   * @return the exception
   */
  static IOException unreachable(String peer, String address, Throwable cause) {
    return new IOException(
        ErrorText.of(
            "no connection to " + peer + " at " + address,
            ErrorText.reason(cause),
            "check that the process runs, that it advertises an address this host can reach, and"
                + " that no firewall closes its port"),
        cause);
  }

  /**
   * A connection for which this process gets no socket.
   *
   * @param peer the peer's name
   * @param address the address that was to be dialed
   * @param cause the original exception
   * @return the exception
   */
  static IOException noSocket(String peer, String address, Throwable cause) {
    return new IOException(
        ErrorText.of(
            "no connection to " + peer + " at " + address,
            "this process cannot open a socket, " + ErrorText.reason(cause),
            LinkErrors.MORE_FILES),
        cause);
  }

  /**
   * Inbound connections that have to wait, as this process gets no socket for them.
   *
   * @param cause the original exception
   * @return the message
   */
  static String notAccepted(Throwable cause) {
    return ErrorText.of(
        "connections to the port of spark-collectives wait and are not accepted",
        "this process cannot open a socket, " + ErrorText.reason(cause),
        LinkErrors.MORE_FILES);
  }

  /**
   * A peer that did not complete the handshake as the protocol wants.
   *
   * @param peer the peer's name
   * @param address the address connected to
   * @param problem what was wrong
   * @param cause the original exception, or null
   * @return the exception
   */
  static IOException handshake(
      String peer, String address, String problem, @Nullable Throwable cause) {
    String remedy =
        cause instanceof BrokenSeal
            ? "check that each of the two processes trusts the certificate of the other, and see the"
                + " log of the other one"
            : "check that this address belongs to a process of this application and that all of its"
                + " processes run the same version";
    return new IOException(
        ErrorText.of("no link to " + peer + " at " + address, problem, remedy), cause);
  }

  /**
   * A lease that a peer's process refused.
   *
   * @param peer the peer's name
   * @param address the address connected to
   * @param reason what it said
   * @return the exception
   */
  static IOException refused(String peer, String address, String reason) {
    return new IOException(ErrorText.of("no link to " + peer + " at " + address, reason, SEE_PEER));
  }

  /**
   * A wait for a connection that this process cannot take any more.
   *
   * @param rank the rank that waits
   * @param peer the one that is to dial
   * @return the exception
   */
  static IOException notListening(String rank, String peer) {
    return new IOException(
        ErrorText.of(
            rank + " waits in vain for a connection from " + peer,
            "this process accepts none any more, since it was closed or its thread has failed",
            "look for an earlier failure in its log"));
  }

  /**
   * Inbound connections that have to wait for a failure of this process.
   *
   * @param cause the failure
   * @return the message
   */
  static String notServed(Throwable cause) {
    return ErrorText.of(
        "connections to the port of spark-collectives had to wait",
        "this process failed when it was to serve them, " + cause,
        "if its memory is used up, let it have more");
  }

  /**
   * Inbound connections that were cut off.
   *
   * @param count how many since it was said last
   * @param counters the numbers since the beginning
   * @param last what was wrong with the last seal that broke, or with this process at last; null if
   *     nothing was
   * @return the message
   */
  static String rejected(long count, TransportCounters counters, @Nullable Throwable last) {
    String reasons = "since the start, by reason: " + counters.rejectedByReason();
    if (last instanceof BrokenSeal) {
      reasons += ", the last one for its seal: " + ErrorText.reason(last);
    } else if (last != null) {
      reasons += ", one by a failure of this process: " + last;
    }
    return ErrorText.of(
        count + " connections to the port of spark-collectives were cut off",
        reasons,
        "if no call has failed just before, see who connects to it, and let none but the processes"
            + " of the application reach it");
  }

  /**
   * A listening socket that could not be opened.
   *
   * @param host the bind address
   * @param first the first port tried
   * @param last the last port tried
   * @param cause the original exception, or null
   * @return the exception
   */
  static IOException cannotListen(String host, int first, int last, @Nullable Throwable cause) {
    return new IOException(
        ErrorText.of(
            "cannot listen on " + host + ", ports " + first + " to " + last,
            cause == null ? "the range is empty" : ErrorText.reason(cause),
            "give an address of this machine and a range with free ports"),
        cause);
  }
}
