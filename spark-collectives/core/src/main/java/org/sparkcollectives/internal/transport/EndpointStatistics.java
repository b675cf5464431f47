package org.sparkcollectives.internal.transport;

import java.util.Map;

/**
 * What an endpoint holds and has done, at one moment.
 *
 * @param openConnections sockets that are open, the listening one apart
 * @param idleDialed connections of the pool, ready to be leased or about to be
 * @param idleAccepted authenticated inbound connections that await a lease
 * @param pending inbound connections in the handshake
 * @param parkedLeases accepted leases whose rank has not asked for them yet
 * @param transports transports that are neither released nor closed
 * @param threads threads of the endpoint: 1 while it listens, else 0
 * @param dialed connections made so far
 * @param reused leases so far that a pooled connection served
 * @param shared connections so far whose bytes go through memory shared with the peer
 * @param notShared connections so far for which memory was offered and not to be had
 * @param closeFailures sockets so far whose closing failed
 * @param answersLost refusals so far that the caller did not take
 * @param rejected inbound connections cut off so far, by reason; every reason has a number
 */
public record EndpointStatistics(
    int openConnections,
    int idleDialed,
    int idleAccepted,
    int pending,
    int parkedLeases,
    int transports,
    int threads,
    long dialed,
    long reused,
    long shared,
    long notShared,
    long closeFailures,
    long answersLost,
    Map<Rejection, Long> rejected) {

  /**
   * What an endpoint holds at one moment; nothing while it does not listen.
   *
   * @param idleDialed connections of the pool, ready to be leased or about to be
   * @param idleAccepted authenticated inbound connections that await a lease
   * @param pending inbound connections in the handshake
   * @param parkedLeases accepted leases whose rank has not asked for them yet
   * @param transports transports that are neither released nor closed
   * @param threads threads of the endpoint
   */
  public record Held(
      int idleDialed,
      int idleAccepted,
      int pending,
      int parkedLeases,
      int transports,
      int threads) {
    /** What an endpoint holds that does not listen. */
    public static final Held NOTHING = new Held(0, 0, 0, 0, 0, 0);
  }

  /**
   * Copies the map.
   *
   * @param openConnections sockets that are open, the listening one apart
   * @param idleDialed connections of the pool, ready to be leased or about to be
   * @param idleAccepted authenticated inbound connections that await a lease
   * @param pending inbound connections in the handshake
   * @param parkedLeases accepted leases whose rank has not asked for them yet
   * @param transports transports that are neither released nor closed
   * @param threads threads of the endpoint: 1 while it listens, else 0
   * @param dialed connections made so far
   * @param reused leases so far that a pooled connection served
   * @param shared connections so far whose bytes go through memory shared with the peer
   * @param notShared connections so far for which memory was offered and not to be had
   * @param closeFailures sockets so far whose closing failed
   * @param answersLost refusals so far that the caller did not take
   * @param rejected inbound connections cut off so far, by reason; every reason has a number
   */
  public EndpointStatistics {
    rejected = Map.copyOf(rejected);
  }

  /**
   * The number of inbound connections cut off so far.
   *
   * @return the sum over all reasons
   */
  public long rejections() {
    return rejected.values().stream().mapToLong(Long::longValue).sum();
  }
}
