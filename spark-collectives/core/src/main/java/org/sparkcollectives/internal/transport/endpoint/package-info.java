/** The place where a process takes part in communicators, with all kinds of links. */
@NullMarked
package org.sparkcollectives.internal.transport.endpoint;

import org.jspecify.annotations.NullMarked;
