package org.sparkcollectives.internal.transport;

import java.io.IOException;

/**
 * A leased connection as a {@link Carrier} needs it: it wakes the rank at the other end, and its
 * end is the end of the link.
 */
public interface Doorbell {

  /**
   * Whether this end is open.
   *
   * @return false once the connection has been closed here
   */
  boolean isOpen();

  /**
   * Wakes the peer if it sleeps. A bell that finds no room is not missed: those before it have not
   * been heard yet.
   *
   * @throws IOException if the connection is broken
   */
  void ring() throws IOException;

  /**
   * Takes the bells that have come.
   *
   * @return whether more may come; false once the peer has ended the lease or closed
   * @throws IOException if the connection is broken
   */
  boolean heard() throws IOException;

  /**
   * Sets whether bells, and the end of the connection, end waits of this rank from now on.
   *
   * @param bells true if they do
   */
  void watch(boolean bells);
}
