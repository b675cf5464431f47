package org.sparkcollectives.internal.transport.tcp.channel;

import java.io.IOException;
import java.util.function.Function;

/**
 * What takes the plain channel's place once both ends have proved that they hold the token, such as
 * a channel that encrypts. All bytes after the proof go through it, over all leases of the
 * connection. Both processes need the same. Thread-safe.
 */
@FunctionalInterface
public interface Sealing {
  /** The plain channel goes on. */
  Sealing NONE = (plain, dialed, secrets) -> plain;

  /**
   * Puts a channel upon another; nothing is held in it.
   *
   * @param plain the channel of the handshake
   * @param dialed whether this end dialed; the two ends differ in it
   * @param secrets by purpose, 32 bytes that both ends of this connection know and nobody else, and
   *     that no other connection ever uses
   * @return the channel to use from now on
   * @throws IOException if there is none to be had
   */
  Channel seal(Channel plain, boolean dialed, Function<String, byte[]> secrets) throws IOException;
}
