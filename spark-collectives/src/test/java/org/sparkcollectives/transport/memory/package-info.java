/** Tests of links within a process. */
@NullMarked
package org.sparkcollectives.transport.memory;

import org.jspecify.annotations.NullMarked;
