/** Tests of links within a process. */
@NullMarked
package org.sparkcollectives.internal.transport.ring;

import org.jspecify.annotations.NullMarked;
