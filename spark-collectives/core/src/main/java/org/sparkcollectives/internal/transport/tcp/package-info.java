/**
 * Links between ranks of different processes over TCP: a socket that listens, mutual authentication
 * on every connection, a pool of connections that communicators lease, and data that the rank's own
 * thread moves.
 */
@NullMarked
package org.sparkcollectives.internal.transport.tcp;

import org.jspecify.annotations.NullMarked;
