/**
 * Links between ranks of different processes over TCP: one endpoint per process, mutual
 * authentication on every connection, a pool of connections that communicators lease, and data that
 * the rank's own thread moves. Ranks of one process meet in {@code transport.memory}.
 */
@NullMarked
package org.sparkcollectives.internal.transport.tcp;

import org.jspecify.annotations.NullMarked;
