/** Tests of links within a process. */
@NullMarked
package org.sparkcollectives.internal.transport.memory;

import org.jspecify.annotations.NullMarked;
