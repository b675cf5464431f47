package org.sparkcollectives.internal.transport.tcp;

import org.sparkcollectives.internal.transport.CarrierProvider;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.Lookup;
import org.sparkcollectives.internal.transport.TransportCounters;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.internal.transport.tcp.lease.ConnectionPool;
import org.sparkcollectives.internal.transport.tcp.lease.Sessions;

/**
 * What the threads of a listening endpoint share: those of its ranks, and that of its acceptor.
 *
 * @param endpoint the endpoint's identity
 * @param options its settings
 * @param counters its running numbers
 * @param carriers what may carry the bytes of connections in place of their sockets
 * @param sealing what all bytes after the handshake go through
 * @param sessions the communicators it knows
 * @param pool its unused dialed connections
 * @param lookup what finds the addresses of hosts
 */
record TcpContext(
    String endpoint,
    EndpointOptions options,
    TransportCounters counters,
    CarrierProvider carriers,
    Sealing sealing,
    Sessions sessions,
    ConnectionPool pool,
    Lookup lookup) {}
