package org.sparkcollectives.internal.transport.tcp.channel;

import java.io.IOException;

/**
 * What takes the plain channel's place once both ends have proved that they hold the token, such as
 * a channel that encrypts. All bytes after the proof go through it, over all leases of the
 * connection. Both processes need the same; nothing is negotiated. Thread-safe.
 */
public interface Sealing {
  /** The plain channel goes on. */
  Sealing NONE = new NoSealing();

  /** The bytes of a share. */
  int SHARE_BYTES = 32;

  /**
   * What tells it from others. The codes are part of the protocol; {@code docs/wire-format.md}
   * lists them.
   *
   * @return 0 where bytes stay plain
   */
  int code();

  /**
   * Begins to seal a connection.
   *
   * @return this end's share in it, used for no other connection
   * @throws IOException if there is none to be had
   */
  Share share() throws IOException;

  /** One end's part in sealing one connection. */
  interface Share {

    /**
     * What the other end is told before the proofs, which cover it.
     *
     * @return {@link Sealing#SHARE_BYTES} bytes, no secret
     */
    byte[] told();

    /**
     * Puts a channel upon another; nothing is held in it.
     *
     * @param plain the channel of the handshake
     * @param dialed whether this end dialed; the two ends differ in it
     * @param heard what the other end has told
     * @param secrets what both ends of this connection know and nobody else
     * @return the channel to use from now on
     * @throws IOException if what the other end has told cannot be
     */
    Channel seal(Channel plain, boolean dialed, byte[] heard, Secrets secrets) throws IOException;
  }

  /**
   * Secrets of one connection: whoever makes the same from the same was there when it began, and
   * holds the token. No other connection ever has the same.
   */
  @FunctionalInterface
  interface Secrets {

    /**
     * A secret.
     *
     * @param agreed what both ends have agreed upon by their shares; empty where that is nothing
     * @param purpose its purpose
     * @return 32 bytes
     */
    byte[] of(byte[] agreed, String purpose);
  }
}
