/**
 * Links between ranks of one process: a ring of bytes per direction, one writer and one reader, no
 * locks. A rank that waits is woken by whoever fills or empties its rings.
 */
@NullMarked
package org.sparkcollectives.internal.transport.memory;

import org.jspecify.annotations.NullMarked;
