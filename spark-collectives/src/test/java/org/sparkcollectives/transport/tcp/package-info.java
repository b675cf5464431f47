/** Tests of links between processes: traffic, lifecycle, intruders, failures. */
@NullMarked
package org.sparkcollectives.transport.tcp;

import org.jspecify.annotations.NullMarked;
