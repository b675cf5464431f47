/** The exceptions of the library and the one factory of their messages. */
@NullMarked
package org.sparkcollectives.error;

import org.jspecify.annotations.NullMarked;
