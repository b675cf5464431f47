/** The exceptions of the library, whose messages their owners write. */
@NullMarked
package org.sparkcollectives.error;

import org.jspecify.annotations.NullMarked;
