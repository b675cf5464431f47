package org.sparkcollectives.internal.transport;

import java.io.IOException;
import java.nio.channels.Selector;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;

/**
 * Opens links of one kind, such as those through memory or over TCP, for the ranks of one process.
 * What a provider holds for all of them, such as a socket that listens, is for its maker to close.
 * Thread-safe.
 */
public interface LinkProvider {

  /**
   * A rank takes part in a communicator; does not wait for other ranks.
   *
   * @param rank the rank
   * @return the rank's links of this kind, none of them open
   * @throws IOException if the rank cannot take part
   */
  Links join(Rank rank) throws IOException;

  /** A rank that takes part in a communicator, as the providers of its links see it. */
  interface Rank {

    /**
     * Who takes part in the communicator.
     *
     * @return all ranks
     */
    Roster roster();

    /**
     * Which of them it is.
     *
     * @return 0 to {@code size - 1}
     */
    int rank();

    /**
     * Ends the current wait of the rank's thread, if there is one. For a thread that has just
     * changed what {@link WaitableLink#prepare} looks at; costs a fence where nobody waits.
     */
    void signal();

    /** Ends the current wait of the rank's thread at once, or the next one if there is none. */
    void wakeup();

    /**
     * Waits while a link is being opened, for no link: until a key of the selector is ready, the
     * rank is signalled, or time is up. For the rank's thread; may return early.
     *
     * @param nanos how long at most
     * @throws IOException if the thread is interrupted or the rank has left
     */
    void await(long nanos) throws IOException;

    /**
     * The selector that the rank's thread waits in from its first call on. It is closed before
     * {@link Links#leave}, which takes its keys away from their channels.
     *
     * @return the selector of this rank
     * @throws IOException if there is none to be had, or the rank has left
     */
    Selector selector() throws IOException;
  }

  /** The links of one rank in one communicator that a provider opens. */
  interface Links {

    /**
     * Whether a peer can be reached. Both ends must come to the same answer, so it depends on
     * nothing but the roster and what all processes know in common.
     *
     * @param peer another rank
     * @return true if {@link #open} is to be asked
     */
    boolean reaches(Peer peer);

    /**
     * Opens the link to a peer, once; for the rank's thread.
     *
     * @param peer a rank that is reached
     * @param deadline until when opening may take
     * @param cancellation asked while waiting
     * @return the open link
     * @throws IOException if the peer cannot be reached or refuses
     */
    WaitableLink open(Peer peer, Deadline deadline, Cancellation cancellation) throws IOException;

    /**
     * The rank leaves the communicator; called once. Links break off, also those that are being
     * opened.
     *
     * @param inOrder whether the rank's thread says so itself, having read all that was sent to it:
     *     connections may then serve another communicator
     */
    void leave(boolean inOrder);
  }

  /**
   * A link that its rank's thread can wait for. What ends a wait is a {@link Rank#signal}, or a key
   * of the rank's selector that {@link #watch} has set.
   */
  interface WaitableLink extends Link {

    /**
     * Prepares a wait. Called before the rank says that it waits, and once more after it, so that
     * who changes what is looked at here and then signals is never missed.
     *
     * @param forBytes whether bytes to read are waited for
     * @param forRoom whether room to write is waited for
     * @return whether there is reason to wait: false if one of them may be there
     */
    boolean prepare(boolean forBytes, boolean forRoom);

    /**
     * Sets what of this link ends waits in the selector, from now on.
     *
     * @param forBytes whether bytes to read do
     * @param forRoom whether room to write does
     */
    default void watch(boolean forBytes, boolean forRoom) {}

    /**
     * Ends what {@link #prepare} began.
     *
     * @param waited whether there was a wait at all
     */
    default void resume(boolean waited) {}
  }
}
