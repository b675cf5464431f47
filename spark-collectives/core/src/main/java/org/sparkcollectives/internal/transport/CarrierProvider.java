package org.sparkcollectives.internal.transport;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Makes carriers: two processes agree upon one while they get to know each other over a socket, the
 * dialing one by an offer and the other by its answer. Thread-safe.
 */
public interface CarrierProvider {
  /** Bytes of an offer's name. */
  int NAME_BYTES = 16;

  /**
   * Makes an offer to a peer.
   *
   * @param from the dialing rank
   * @param to the peer
   * @return the offer, or null where the peer cannot have it
   * @throws IOException if there should be one and none can be made; the socket carries the bytes
   *     then
   */
  @Nullable Offer offer(Peer from, Peer to) throws IOException;

  /**
   * Takes an offer.
   *
   * @param name its name, {@link #NAME_BYTES} bytes
   * @return the other end
   * @throws IOException if it is not to be had here; the socket carries the bytes then
   */
  Carrier take(byte[] name) throws IOException;

  /** A carrier that is offered: the end of who offers it. */
  interface Offer extends Carrier {

    /**
     * How the peer finds it.
     *
     * @return {@link CarrierProvider#NAME_BYTES} bytes
     */
    byte[] name();

    /**
     * Ends the offer, whether or not it has been taken; what has been taken stays.
     *
     * @return whether nothing can be found any more under its name
     */
    boolean withdraw();
  }
}
