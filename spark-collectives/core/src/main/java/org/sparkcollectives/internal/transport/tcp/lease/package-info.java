/**
 * Connections, and who uses them: communicators lease a connection for two ranks, one after the
 * other.
 */
@NullMarked
package org.sparkcollectives.internal.transport.tcp.lease;

import org.jspecify.annotations.NullMarked;
