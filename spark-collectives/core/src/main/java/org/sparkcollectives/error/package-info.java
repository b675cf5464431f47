/** The exceptions of the library and the form of their messages, which their owners write. */
@NullMarked
package org.sparkcollectives.error;

import org.jspecify.annotations.NullMarked;
