/**
 * What all kinds of links have in common: a rank's transport, which asks the providers, how its
 * thread waits, its numbers, settings and messages, and the seam between a connection and what
 * carries its bytes. Each kind of link is a package of its own below; {@code endpoint} lists them.
 */
@NullMarked
package org.sparkcollectives.internal.transport;

import org.jspecify.annotations.NullMarked;
