/** Texts that people write in settings and on the command line. */
@NullMarked
package org.sparkcollectives.internal.text;

import org.jspecify.annotations.NullMarked;
