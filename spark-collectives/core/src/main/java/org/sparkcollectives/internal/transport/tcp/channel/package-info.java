/**
 * The bytes of one connection, between socket and frames: plain, or through whatever takes the
 * plain channel's place after the handshake.
 */
@NullMarked
package org.sparkcollectives.internal.transport.tcp.channel;

import org.jspecify.annotations.NullMarked;
