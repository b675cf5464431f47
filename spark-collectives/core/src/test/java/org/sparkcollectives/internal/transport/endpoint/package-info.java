/** Tests of links between processes: traffic, lifecycle, intruders, failures. */
@NullMarked
package org.sparkcollectives.internal.transport.endpoint;

import org.jspecify.annotations.NullMarked;
