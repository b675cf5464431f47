/** The frames of the wire protocol, and the proof that both ends hold the application's token. */
@NullMarked
package org.sparkcollectives.internal.transport.tcp.handshake;

import org.jspecify.annotations.NullMarked;
