/** Links between ranks of one process: a ring of bytes in each direction. */
@NullMarked
package org.sparkcollectives.internal.transport.ring;

import org.jspecify.annotations.NullMarked;
