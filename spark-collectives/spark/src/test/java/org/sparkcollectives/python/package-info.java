/** Tests of what Python programs call. */
@NullMarked
package org.sparkcollectives.python;

import org.jspecify.annotations.NullMarked;
