package org.sparkcollectives.transport;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The links of one rank in one communicator. All methods but {@link #wakeup()} and {@link #close()}
 * are for the rank's own thread.
 */
public interface Transport extends AutoCloseable {

  /**
   * This rank.
   *
   * @return 0 to {@code size() - 1}
   */
  int rank();

  /**
   * How many ranks there are.
   *
   * @return 1 or more
   */
  int size();

  /**
   * Who the peer is, for messages to people.
   *
   * @param peer a rank
   * @return something like {@code rank 3 on host-b (executor 2)}
   */
  String describe(int peer);

  /**
   * The machine that a rank is on.
   *
   * @param peer a rank
   * @return a name that is equal for ranks that share a machine
   */
  String host(int peer);

  /**
   * The process that a rank is in.
   *
   * @param peer a rank
   * @return a name that is equal for ranks that share a process, and therefore a machine
   */
  String process(int peer);

  /**
   * The rack that a rank's machine is in.
   *
   * @param peer a rank
   * @return a name that is equal for ranks whose machines share an uplink, empty where unknown
   */
  default String rack(int peer) {
    return "";
  }

  /**
   * The link to a peer; the first call opens it, later ones return the same. Both ends must ask.
   *
   * @param peer another rank
   * @param deadline until when opening may take
   * @param cancellation asked while waiting
   * @return the open link
   * @throws IOException if the peer cannot be reached or refuses
   */
  Link link(int peer, Deadline deadline, Cancellation cancellation) throws IOException;

  /**
   * Waits until one of two links may have become ready, {@link #wakeup()} is called, or time is up.
   * It may return early without a reason.
   *
   * @param readable the link that is waited on for bytes to read, or null
   * @param writable the link that is waited on for room to write, or null
   * @param nanos how long at most
   * @throws IOException if waiting fails
   */
  void await(@Nullable Link readable, @Nullable Link writable, long nanos) throws IOException;

  /** Ends a wait at once. Any thread may call it at any time, also after the end. */
  void wakeup();

  /**
   * Ends the communicator in good order: every byte sent to this rank has been read, so that links
   * may serve another one.
   */
  void release();

  /** Breaks off: closes all links, so that the peers see the end of their streams. Idempotent. */
  @Override
  void close();
}
