/** Tests of links between processes: traffic, lifecycle, intruders, failures. */
@NullMarked
package org.sparkcollectives.internal.transport.tcp;

import org.jspecify.annotations.NullMarked;
