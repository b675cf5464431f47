/**
 * Links between ranks: ordered byte streams, opened on first use, driven by the thread that owns
 * them, with a deadline on every wait. {@code tcp} carries them between processes, {@code memory}
 * inside one.
 */
@NullMarked
package org.sparkcollectives.transport;

import org.jspecify.annotations.NullMarked;
