/** Frames and proofs. */
@NullMarked
package org.sparkcollectives.internal.transport.tcp.handshake;

import org.jspecify.annotations.NullMarked;
