/**
 * Links between processes of one host: a ring of bytes in each direction, in a file of memory that
 * both have mapped, and a connection that wakes the other side.
 */
@NullMarked
package org.sparkcollectives.internal.transport.shared;

import org.jspecify.annotations.NullMarked;
