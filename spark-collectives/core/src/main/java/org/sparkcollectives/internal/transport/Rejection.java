package org.sparkcollectives.internal.transport;

/** Why an endpoint cut an inbound connection off. */
public enum Rejection {
  /** The bytes are not a frame of this protocol, or not the frame that is due. */
  NOT_OURS,
  /** The frame is of another version of the protocol. */
  VERSION,
  /** The other machine has another byte order. */
  BYTE_ORDER,
  /** The caller wanted another process. */
  ENDPOINT,
  /** The caller encrypts in another way, or not at all. */
  SEALING,
  /**
   * What came through the seal is not what the caller has sealed, or one of the two does not trust
   * the other's certificate.
   */
  SEAL,
  /** The caller does not hold the application's token. */
  TOKEN,
  /** The connection ended in the middle of the handshake. */
  TRUNCATED,
  /** The handshake took too long. */
  TIMEOUT,
  /** Too many connections were in the handshake at once: the oldest that has said nothing goes. */
  CROWDED,
  /** An authenticated caller asked for a lease that is refused. */
  LEASE,
  /** This process failed when it served the caller, for want of memory for example. */
  FAILURE
}
