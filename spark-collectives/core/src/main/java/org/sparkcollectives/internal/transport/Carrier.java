package org.sparkcollectives.internal.transport;

import org.sparkcollectives.internal.transport.LinkProvider.WaitableLink;

/**
 * One end of what carries the bytes of a connection in place of its socket, such as memory that the
 * two processes share; for as long as the connection lasts, over all of its leases.
 */
public interface Carrier {

  /**
   * The link of a lease.
   *
   * @param peer the rank at the other end
   * @param peerName its name, for messages
   * @param doorbell the connection, which wakes the peer and tells its end
   * @return the link
   */
  WaitableLink link(int peer, String peerName, Doorbell doorbell);

  /**
   * Whether all that was written has been read, in both directions.
   *
   * @return true if another lease may follow
   */
  boolean isEmpty();

  /**
   * Whether something that the peer wrote has not been read here.
   *
   * @return true where a rank has left it behind, if none has the lease any more
   */
  boolean hasUnread();

  /**
   * How many unused connections that have one are kept per peer process.
   *
   * @return 0 or more
   */
  int maxIdle();
}
