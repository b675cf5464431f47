/**
 * Links between ranks: ordered byte streams, opened on first use, driven by the thread that owns
 * them, with a deadline on every wait.
 */
@NullMarked
package org.sparkcollectives.transport;

import org.jspecify.annotations.NullMarked;
