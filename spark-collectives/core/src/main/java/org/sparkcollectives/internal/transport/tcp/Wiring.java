package org.sparkcollectives.internal.transport.tcp;

/**
 * The parts of an endpoint that listens, as its transports use them.
 *
 * @param endpoint the endpoint's identity
 * @param options its settings
 * @param counters its running numbers
 * @param sessions the communicators it knows
 * @param pool its unused dialed connections
 * @param acceptor its thread for inbound connections
 */
record Wiring(
    String endpoint,
    EndpointOptions options,
    Counters counters,
    Sessions sessions,
    ConnectionPool pool,
    Acceptor acceptor) {

  /**
   * Learns the application's token, before the first rank of a communicator dials or is dialed.
   * Unused connections that another token made are closed.
   *
   * @param token the secret
   */
  void adopt(byte[] token) {
    if (acceptor.adopt(token)) {
      pool.clear();
    }
  }
}
