/** Memory between processes. */
@NullMarked
package org.sparkcollectives.internal.transport.shared;

import org.jspecify.annotations.NullMarked;
