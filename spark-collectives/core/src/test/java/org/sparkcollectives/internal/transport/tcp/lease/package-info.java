/** Tests of the bytes of one connection. */
@NullMarked
package org.sparkcollectives.internal.transport.tcp.lease;

import org.jspecify.annotations.NullMarked;
