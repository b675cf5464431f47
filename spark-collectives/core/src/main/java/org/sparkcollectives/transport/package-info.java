/**
 * Links between ranks: ordered byte streams, opened on first use, driven by the thread that owns
 * them, with a deadline on every wait. {@code tcp} carries them between processes, over sockets or
 * through memory where two share a host; {@code memory} has the rings, inside a process and shared.
 */
@NullMarked
package org.sparkcollectives.transport;

import org.jspecify.annotations.NullMarked;
