/**
 * Links between ranks: ordered byte streams, opened on first use, driven by the thread that owns
 * them, with a deadline on every wait. A link is opened by the first {@link
 * org.sparkcollectives.transport.LinkProvider} that reaches the peer.
 */
@NullMarked
package org.sparkcollectives.transport;

import org.jspecify.annotations.NullMarked;
